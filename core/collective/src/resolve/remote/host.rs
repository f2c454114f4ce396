//! The process that runs the leader.

use super::channel::{Channel, read, write};
use crate::resolve::{Ask, Leader, Reply, Worker};
use crossbeam_channel::{Sender, unbounded};
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Runs the [`Leader`] of a resolution for workers on connected streams.
///
/// It opens no port: whoever starts the workers gives it their streams. Dropping it closes them, and
/// every worker that waits gets an error.
pub struct LeaderHost {
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

/// What reaches a worker: a thread of its own writes, so that a slow one keeps nobody waiting.
struct Link {
    replies: Sender<Reply>,
    close: Box<dyn Fn() + Send>,
}

impl LeaderHost {
    /// A leader without workers.
    ///
    /// # Errors
    /// There is no thread for its clock.
    pub fn start(registry: impl Into<Arc<Registry>>) -> Result<Self> {
        let leader = Leader::new(registry);
        let state = State { leader, workers: BTreeMap::new(), next: 0, closed: false };
        let (state, clock) = (Mutex::new(state), Condvar::new());
        let shared = Arc::new(Shared { start: Instant::now(), state, clock });
        let theirs = Arc::clone(&shared);
        spawn("resolution clock", move || theirs.keep_time())?;
        Ok(Self { shared })
    }

    /// Serves one more worker.
    ///
    /// # Errors
    /// The stream cannot be used by two threads, or there are no threads for it.
    pub fn serve(&self, channel: impl Channel) -> Result<Worker> {
        let (mut reader, closer) = (channel.another()?, channel.another()?);
        let (replies, outbox) = unbounded::<Reply>();
        let worker = {
            let mut state = self.shared.lock();
            let worker = state.next;
            state.next += 1;
            let close = Box::new(move || closer.close());
            state.workers.insert(worker, Link { replies, close });
            worker
        };
        let mut writer = channel;
        let started = spawn("resolution replies", move || {
            // It ends when the worker is lost and its sender dropped, or the stream breaks.
            while let Ok(reply) = outbox.recv() {
                if write(&mut writer, &reply).is_err() {
                    writer.close();
                    break;
                }
            }
        });
        let shared = Arc::clone(&self.shared);
        let started = started.and_then(|()| {
            spawn("resolution questions", move || {
                while let Ok(ask) = read::<Ask>(&mut reader) {
                    shared.change(|leader, now| leader.receive(now, worker, ask));
                }
                shared.lose(worker);
            })
        });
        started.map(|()| worker).inspect_err(|_| self.shared.lose(worker))
    }
}

impl Drop for LeaderHost {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        state.closed = true;
        for link in std::mem::take(&mut state.workers).into_values() {
            (link.close)();
        }
        self.shared.clock.notify_all();
    }
}

impl Shared {
    /// Changes the leader and sends what follows.
    fn change(&self, change: impl FnOnce(&mut Leader, Duration) -> Vec<(Worker, Reply)>) {
        let mut state = self.lock();
        let replies = change(&mut state.leader, self.start.elapsed());
        state.send(replies);
        self.clock.notify_all();
    }

    fn lose(&self, worker: Worker) {
        if let Some(link) = self.lock().workers.remove(&worker) {
            (link.close)();
        }
        self.change(|leader, now| leader.lost(now, worker));
    }

    /// Answers questions that are late, when they are.
    fn keep_time(&self) {
        let mut state = self.lock();
        while !state.closed {
            let now = self.start.elapsed();
            state = match state.leader.next_deadline() {
                Some(at) if at <= now => {
                    let replies = state.leader.tick(now);
                    state.send(replies);
                    state
                }
                Some(at) => {
                    let left = at.saturating_sub(now).min(ringwood_base::deadline::LONGEST);
                    let woken = self.clock.wait_timeout(state, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.clock.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn send(&self, replies: Vec<(Worker, Reply)>) {
        for (worker, reply) in replies {
            if let Some(link) = self.workers.get(&worker) {
                // A writer that has ended has closed the stream, and the reader tells.
                let _ = link.replies.send(reply);
            }
        }
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<()> {
    let spawned = thread::Builder::new().name(name.into()).spawn(body);
    spawned.map(drop).map_err(|cause| {
        let message = format!("cannot start a thread for the {name}");
        Error::new(ErrorKind::Unavailable, message).because(cause)
    })
}
