//! Where processes meet: the leader, and the workers that reach it.

use super::channel::{Channel, spawn};
use super::leader::Leader;
use super::message::{Ask, Reply, Worker};
use super::resolver::{End, Inbox, Resolver};
use ringwood_base::registry::Registry;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_transport::Bootstrap;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Where processes meet: it gathers the members of groups, completes and orders what they call, and
/// numbers their steps.
///
/// One process has it; the others reach it over streams that whoever starts them gives to both. It
/// opens no port. Dropping it closes the streams, and every worker that waits gets an error.
/// Equivalent to the rendezvous of Gloo and PyTorch, whose store it is.
///
/// ```
/// use ringwood_collective::resolve::{Member, Rendezvous};
/// use ringwood_base::registry::Registry;
///
/// let rendezvous = Rendezvous::start(Registry::default())?;
/// let resolver = rendezvous.resolver();
/// let group = std::thread::scope(|scope| {
///     scope.spawn(|| rendezvous.resolver().join(&Member::new(7, 2, "cpu", "cpu:10")));
///     resolver.join(&Member::new(7, 2, "cpu", "cpu:2"))
/// })?;
/// assert_eq!((group.members(), group.rank()), (vec!["cpu:2", "cpu:10"], 0));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct Rendezvous {
    shared: Arc<Shared>,
}

struct Shared {
    start: Instant,
    state: Mutex<State>,
    /// The clock thread sleeps here.
    clock: Condvar,
}

struct State {
    leader: Leader,
    workers: BTreeMap<Worker, Link>,
    next: Worker,
    closed: bool,
}

/// How a worker is reached. Nobody waits in it: a worker that asked reads, and one that does not is
/// cut off.
#[derive(Clone)]
struct Link {
    reply: Arc<dyn Fn(Reply) + Send + Sync>,
    close: Arc<dyn Fn() + Send + Sync>,
}

impl Rendezvous {
    /// A rendezvous without workers, which looks algorithms and transports up in `registry`.
    ///
    /// # Errors
    /// There is no thread for its clock.
    pub fn start(registry: impl Into<Arc<Registry>>) -> Result<Self> {
        let leader = Leader::new(registry.into());
        let state = State { leader, workers: BTreeMap::new(), next: 0, closed: false };
        let (state, clock) = (Mutex::new(state), Condvar::new());
        let shared = Arc::new(Shared { start: Instant::now(), state, clock });
        let theirs = Arc::clone(&shared);
        spawn("clock of a rendezvous", move || theirs.keep_time())?;
        Ok(Self { shared })
    }

    /// A worker in this process.
    pub fn resolver(&self) -> Resolver {
        let inbox = Arc::new(Inbox::default());
        let (replies, closes) = (Arc::clone(&inbox), Arc::clone(&inbox));
        let worker = self.shared.add(Link {
            reply: Arc::new(move |reply| replies.reply(reply)),
            close: Arc::new(move || closes.lose(closed())),
        });
        let (asks, leaves) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        let send = move |ask| asks.receive(worker, ask);
        Resolver::new(End::new(inbox, send, move || leaves.lose(worker)))
    }

    /// Serves one more worker, which [connects](Resolver::connect) at the other end of the channel.
    ///
    /// # Errors
    /// There is no thread for it.
    pub fn serve(&self, channel: impl Channel) -> Result<()> {
        let channel = Arc::new(channel);
        let (writer, closer) = (Mutex::new(Arc::clone(&channel)), Arc::clone(&channel));
        let reply = move |reply: Reply| {
            let writer = lock(&writer);
            if writer.send(&reply).is_err() {
                writer.close();
            }
        };
        let link = Link { reply: Arc::new(reply), close: Arc::new(move || closer.close()) };
        let worker = self.shared.add(link);
        let shared = Arc::clone(&self.shared);
        let serves = spawn("rendezvous", move || {
            while let Ok(ask) = channel.receive::<Ask>() {
                if shared.receive(worker, ask).is_err() {
                    break;
                }
            }
            shared.lose(worker);
        });
        serves.inspect_err(|_| self.shared.lose(worker))
    }

    /// The ranks of a group connect here, over this transport.
    pub(crate) fn bootstrap(&self, group: u64, transport: &str, bootstrap: Bootstrap) {
        lock(&self.shared.state).leader.bootstrap(group, transport, bootstrap);
    }
}

impl Drop for Rendezvous {
    fn drop(&mut self) {
        let mut state = lock(&self.shared.state);
        state.closed = true;
        let workers = std::mem::take(&mut state.workers);
        drop(state);
        self.shared.clock.notify_all();
        for link in workers.into_values() {
            (link.close)();
        }
    }
}

impl Shared {
    fn add(&self, link: Link) -> Worker {
        let mut state = lock(&self.state);
        let worker = state.next;
        state.next += 1;
        state.workers.insert(worker, link);
        worker
    }

    /// A worker asks.
    fn receive(&self, worker: Worker, ask: Ask) -> Result<()> {
        let state = lock(&self.state);
        if !state.workers.contains_key(&worker) {
            return Err(closed());
        }
        self.change(state, |leader, now| leader.receive(now, worker, ask));
        Ok(())
    }

    fn lose(&self, worker: Worker) {
        let mut state = lock(&self.state);
        let link = state.workers.remove(&worker);
        self.change(state, |leader, now| leader.lost(now, worker));
        if let Some(link) = link {
            (link.close)();
        }
    }

    /// Changes the leader and sends what follows, when the lock is free.
    fn change(
        &self,
        mut state: MutexGuard<'_, State>,
        change: impl FnOnce(&mut Leader, Duration) -> Vec<(Worker, Reply)>,
    ) {
        let replies = change(&mut state.leader, self.start.elapsed());
        let link = |(worker, reply)| Some((state.workers.get(&worker)?.clone(), reply));
        let replies: Vec<_> = replies.into_iter().filter_map(link).collect();
        drop(state);
        self.clock.notify_all();
        for (link, reply) in replies {
            (link.reply)(reply);
        }
    }

    /// Answers questions that are late, when they are.
    fn keep_time(&self) {
        let mut state = lock(&self.state);
        while !state.closed {
            let now = self.start.elapsed();
            let left = state.leader.next_deadline().map(|at| at.saturating_sub(now));
            state = match left {
                Some(Duration::ZERO) => {
                    self.change(state, Leader::tick);
                    lock(&self.state)
                }
                Some(left) => {
                    let woken =
                        self.clock.wait_timeout(state, left.min(ringwood_base::deadline::LONGEST));
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.clock.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

fn closed() -> Error {
    Error::aborted("the rendezvous is closed")
}
