//! Workers that are other processes, however these are started and reached: for who adds a kind of sessions.
//!
//! On the controller's side a [`Controller`] hands [`Packet`]s to [`Links`], and is told what comes from the workers. On a
//! worker's side a [`Link`] is what [`serve`] runs a session over.

mod ends;
mod hub;
mod orders;
mod worker;

pub use crate::protocol::{Order, Report};
pub use crate::wire::Packet;
pub use worker::{Link, give_up, serve};

use crate::awaited::Awaited;
use crate::channel::{GLANCE, LEFT, Workers, ended};
use crate::config::Config;
use crate::function::{RINGWOOD_VERSION, signatures};
use crate::progress::{Observer, Progress};
use crate::protocol::{Failure, Reply, Setup};
use crate::serve::{READY, START, await_ready};
use ends::Remote;
use hub::{Hub, Orders};
use ringwood_base::deadline::deadline;
use ringwood_base::sync::lock;
use ringwood_base::sync::{given_threads, threads};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_transport::Transport;
use ringwood_transport::flight::Flight;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// What reaches the workers of a session from its controller.
pub trait Links: Send + Sync {
    /// Hands a message over, in order and without waiting. A worker that is gone shows in
    /// [`Controller::lose`], not here.
    ///
    /// # Errors
    /// The message cannot be sent.
    fn send(&self, worker: usize, packet: Packet) -> Result<()>;

    /// As [`Links::send`], but it may wait for what is sent next, or about a second.
    ///
    /// # Errors
    /// As [`Links::send`].
    fn defer(&self, worker: usize, packet: Packet) -> Result<()> {
        self.send(worker, packet)
    }

    /// Waits some milliseconds for what a worker says, on the thread of one who waits for that, and tells `controller`;
    /// false where another thread does that.
    fn hear(&self, _worker: usize, _controller: &Controller) -> bool {
        false
    }

    /// Over what the workers call collectives, unless [`SessionBuilder::transport`](crate::SessionBuilder::transport) says otherwise.
    fn transport(&self) -> &'static dyn Transport;

    /// Waits for the end of the workers, which were told to, and gives those that did not come to it before
    /// the deadline.
    fn end(&self, deadline: Instant) -> Vec<usize>;

    /// What becomes of those, in words.
    fn fate(&self) -> &'static str {
        LEFT
    }

    /// Whether a session can be started again with these workers: false once one that nothing replaces has died.
    fn come_again(&self) -> bool {
        true
    }

    /// What to do about workers that do not start.
    fn help(&self) -> &'static str;
}

/// What the system says of a worker that is stopped.
pub const STOPPED: &str = ": it is stopped";

/// How a worker has ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// As one does that is told to; in words.
    Well(String),
    /// In another way, or it cannot be understood; in words.
    Failed(String),
    /// By a signal, which this names.
    Killed(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Well(how) | Self::Failed(how) => f.write_str(how),
            Self::Killed(signal) => write!(f, "was killed by {signal}"),
        }
    }
}

/// The controller of workers that are other processes: what callers' threads and the one that hears the
/// workers share.
pub struct Controller {
    /// The commands that each worker was sent, and those that it has done.
    backlogs: Vec<Awaited<(u64, u64)>>,
    hub: Mutex<Hub>,
    progress: Arc<Progress>,
    links: Arc<dyn Links>,
    /// The time since the start.
    clock: Box<dyn Fn() -> Duration + Send + Sync>,
}

impl Controller {
    /// That of a new session.
    pub fn new(config: &Config, links: Arc<dyn Links>) -> Arc<Self> {
        let size = config.workers;
        let progress = Arc::new(Progress::new(size, config.groups, None));
        let hub = Mutex::new(Hub::new(Arc::clone(&progress), size, config.silence));
        let backlogs = (0..size).map(|_| Awaited::default()).collect();
        let start = Instant::now();
        Arc::new(Self { backlogs, hub, progress, links, clock: Box::new(move || start.elapsed()) })
    }

    /// Tells each worker what it is, and waits until all are ready. Whoever hears workers must [tick](Self::tick) by then.
    ///
    /// # Errors
    /// A worker does not start: the others are ended.
    pub fn begin(self: Arc<Self>, config: &Config) -> Result<Arc<dyn Workers>> {
        let remote = Remote(Arc::clone(&self));
        self.start(config).map(|()| Arc::new(remote) as Arc<dyn Workers>)
    }

    fn start(&self, config: &Config) -> Result<()> {
        let size = config.workers;
        let deadline = deadline(config.timeout.max(START));
        let group = config.group(self.links.transport())?;
        let model = group.clone().model_text()?;
        let functions = signatures(config.runtime()?.registry());
        let flight = Flight::create(size)?;
        self.progress.record(Arc::clone(&flight));
        // It is there until all have come.
        let place = group.bootstrap()?;
        let (threads, share) = (given_threads()?, threads()? / size);
        for rank in 0..size {
            let setup = Setup {
                rank,
                config: Box::new(Config { threads, share, ..config.clone() }),
                address: place.address().to_owned(),
                model: model.clone(),
                flight: flight.address(),
                version: RINGWOOD_VERSION.into(),
                functions: functions.clone(),
            };
            self.links.send(rank, Packet::of(&Order::Start(setup))?)?;
        }
        // Who ends the workers is to know why.
        self.await_workers(config, deadline).inspect_err(|error| self.fail(error))
    }

    fn await_workers(&self, config: &Config, deadline: Instant) -> Result<()> {
        await_ready(config, |rank| match self.progress.receive(rank, READY, deadline, |_| false) {
            Ok(reply) if reply.is_some() || self.progress.closed().is_none() => Ok(reply),
            _ => Err(self.refusal().unwrap_or_else(|| self.failure())),
        })
        .map_err(|error| self.reason(error, deadline))
    }

    /// Why workers do not start: of what others say of a death, the death.
    fn reason(&self, error: Error, deadline: Instant) -> Error {
        if error.kind() != ErrorKind::Aborted {
            return error;
        }
        self.hub().suspect(self.now(), (&error).into());
        while self.progress.closed().is_none() && Instant::now() < deadline {
            std::thread::sleep(GLANCE);
        }
        match self.progress.closed() {
            Some(failure) if failure.text != error.to_string() => self.failure(),
            _ => error,
        }
    }

    /// What a worker has said that could not start.
    fn refusal(&self) -> Option<Error> {
        let now = Instant::now();
        let said = (0..self.backlogs.len()).flat_map(|rank| {
            std::iter::from_fn(move || self.progress.answers.take(rank, READY, now).ok().flatten())
        });
        said.filter_map(|reply| reply.outcome.err()).map(Error::from).next()
    }

    /// Why the session has ended.
    fn failure(&self) -> Error {
        let failure = self.progress.closed().cloned();
        failure.map_or_else(ended, |failure| {
            let error = Error::from(failure);
            // What `main` does is no cause of a signal.
            if self.hub().killed { error } else { error.help(self.links.help()) }
        })
    }

    /// A worker is there, under a name such as `process 123`.
    pub fn started(&self, worker: usize, name: &str) {
        self.hub().started(worker, name);
    }

    /// A worker has said these.
    pub fn hear(&self, worker: usize, reports: impl IntoIterator<Item = Report>) {
        let mut now = None;
        for report in reports {
            let now = *now.get_or_insert_with(|| {
                let now = self.now();
                self.hub().heard(now, worker);
                now
            });
            match report {
                Report::Reply(reply) => {
                    if matches!(reply, Reply { request: READY, outcome: Err(_) }) {
                        self.hub().refused(worker);
                    }
                    self.progress.answers.deliver(worker, reply);
                }
                Report::Done(commands) => {
                    self.backlogs[worker].change(|(_, done)| *done = commands.max(*done));
                }
                report => {
                    let orders = self.hub().receive(now, worker, report);
                    self.send(orders);
                }
            }
        }
    }

    /// A worker has ended, or cannot be understood.
    pub fn lose(&self, worker: usize, how: &Ending) {
        let orders = self.hub().lost(worker, how);
        self.backlogs[worker].end();
        self.progress.answers.lose(worker);
        self.send(orders);
    }

    /// Something else than a worker has failed, which ends the session.
    pub fn fail(&self, error: &Error) {
        self.close(error.into());
    }

    fn close(&self, failure: Failure) {
        let orders = self.hub().close(failure);
        self.send(orders);
    }

    /// The failure that has ended the session, if one has.
    pub fn failed(&self) -> Option<Error> {
        self.progress.closed().cloned().map(Error::from)
    }

    /// What a worker does now, in words, as `worker 0 runs f, call 3`.
    pub fn activity(&self, worker: usize) -> String {
        self.progress.activities(&[worker])
    }

    /// The time since the start of the session.
    pub fn now(&self) -> Duration {
        (self.clock)()
    }

    /// Whether the tick of a time tells a failure that may be the consequence of a death: who sees the workers end looks
    /// before.
    pub fn suspects(&self, now: Duration) -> bool {
        self.hub().suspects(now)
    }

    /// It is `now`; `state` says what the system knows of a worker, as [`STOPPED`].
    pub fn tick(&self, now: Duration, state: impl Fn(usize) -> String) {
        let orders = self.hub().tick(now, state);
        self.send(orders);
    }

    /// After what time at most the next [`Controller::tick`] is due.
    pub fn patience(&self) -> Duration {
        self.hub().patience(self.now())
    }

    fn send(&self, orders: Orders) {
        for (worker, order) in orders {
            // Who does not get it is lost.
            let _ = Packet::of(&order).and_then(|packet| self.links.send(worker, packet));
        }
    }

    fn hub(&self) -> MutexGuard<'_, Hub> {
        lock(&self.hub)
    }
}

#[cfg(test)]
mod tests;
