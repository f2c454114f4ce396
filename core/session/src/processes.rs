//! Workers as processes of this machine.
//!
//! Each is this program, started once more, with a stream to the controller as its standard input: no port, no
//! name and no secret is needed. Large elements travel as sealed memory, collectives run in an
//! arena that the workers share.

mod child;
mod hub;
mod inlet;
mod keeper;
mod outbox;
mod place;
mod worker;

use super::channel::{ControllerEnd, QUEUE, Workers, behind, ended};
use super::config::Config;
use super::progress::{History, Progress};
use super::protocol::{Command, Failure, Order, Reply, Report, Setup};
use super::serve::{READY, await_ready};
use super::wire::Packet;
use hub::{Hub, Orders};
use keeper::Keeper;
use outbox::Outbox;
use ringwood_base::deadline::deadline;
use ringwood_base::sync::threads;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::Group;
use ringwood_collective::transport::Arena;
use ringwood_device::device::Runtime;
use std::collections::HashMap;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A system that is busy takes its time to start processes.
const START: Duration = Duration::from_secs(30);

pub(super) struct Processes {
    ends: Vec<Controller>,
    shared: Arc<Shared>,
    keeper: Mutex<Option<JoinHandle<()>>>,
}

/// What the callers' threads and the keeper share.
struct Shared {
    lines: Vec<Line>,
    hub: Mutex<Hub>,
    progress: Arc<Progress>,
    wake: UnixStream,
    start: Instant,
    end: Mutex<End>,
}

#[derive(Default)]
struct End {
    /// By when the processes have to end.
    by: Option<Instant>,
    /// Those that did not.
    left: Vec<usize>,
}

/// The stream to one worker.
struct Line {
    stream: UnixStream,
    outbox: Mutex<Outbox>,
    /// Whether the stream has not taken all of it.
    behind: AtomicBool,
    mailbox: Mutex<Mailbox>,
    arrived: Condvar,
}

#[derive(Default)]
struct Mailbox {
    replies: HashMap<u64, Vec<Reply>>,
    sent: u64,
    done: u64,
    lost: bool,
}

/// Serves the session that this process is a worker of, and ends the process; returns if it is none.
pub(super) fn serve(runtime: Option<&Runtime>) {
    let Some(stream) = place::take() else { return };
    match worker::run(stream, runtime.cloned()) {
        Ok(()) => std::process::exit(0),
        Err(error) => worker::give_up(&error),
    }
}

/// Starts the processes of a session and waits until each is ready. In a worker, it serves instead.
///
/// # Errors
/// A process cannot be started, ends before it is ready, or fails to set itself up: the others are
/// ended.
pub(super) fn start(_session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
    serve(config.runtime.as_ref());
    let size = config.workers;
    let failed = |cause| {
        let message = format!("cannot make the streams to {size} workers");
        Error::new(ErrorKind::Unavailable, message)
            .because(cause)
            .help("each worker takes three open files: see `ulimit -n`")
    };
    let mut lines = Vec::with_capacity(size);
    let mut streams = Vec::with_capacity(size);
    for _ in 0..size {
        let (here, there) = UnixStream::pair().map_err(failed)?;
        lines.push(Line::new(here).map_err(failed)?);
        streams.push(there);
    }
    let (wake, woken) = UnixStream::pair().map_err(failed)?;
    [&wake, &woken].into_iter().try_for_each(|end| end.set_nonblocking(true)).map_err(failed)?;
    let progress = Arc::new(Progress::new(size, config.groups, None));
    let hub = Mutex::new(Hub::new(Arc::clone(&progress), size, config.silence));
    let (start, end) = (Instant::now(), Mutex::default());
    let shared = Arc::new(Shared { lines, hub, progress, wake, start, end });
    let keeper = spawn_keeper(&shared, config, streams, woken)?;
    let ends = (0..size).map(|rank| Controller { rank, shared: Arc::clone(&shared) }).collect();
    let workers = Processes { ends, shared, keeper: Mutex::new(Some(keeper)) };
    // Dropping it ends the processes.
    workers.begin(config).map(|()| Arc::new(workers) as Arc<dyn Workers>)
}

fn spawn_keeper(
    shared: &Arc<Shared>,
    config: &Config,
    streams: Vec<UnixStream>,
    woken: UnixStream,
) -> Result<JoinHandle<()>> {
    let (tell, told) = mpsc::channel();
    let (shared, config) = (Arc::clone(shared), config.clone());
    let body = move || match Keeper::start(shared, &config, streams, woken) {
        Ok(keeper) => {
            drop(config);
            let _ = tell.send(Ok(()));
            keeper.run();
        }
        Err(error) => drop(tell.send(Err(error))),
    };
    let failed = |cause| {
        let message = "cannot start the thread that keeps the workers";
        Error::new(ErrorKind::Unavailable, message).because(cause)
    };
    let keeper = std::thread::Builder::new().name("keeper".into()).spawn(body).map_err(failed)?;
    told.recv()
        .map_err(|_| Error::new(ErrorKind::Aborted, "the keeper of the workers has ended"))??;
    Ok(keeper)
}

impl Processes {
    /// Tells each worker what it is, and waits until all are ready.
    fn begin(&self, config: &Config) -> Result<()> {
        let size = config.workers;
        let deadline = deadline(config.timeout.max(START));
        let group =
            Group::builder(size).registry(config.runtime()?.registry().clone()).over(&Arena);
        let model = group.clone().model_text()?;
        // It is there until all have come.
        let place = group.bootstrap()?;
        for (rank, line) in self.shared.lines.iter().enumerate() {
            let setup = Setup {
                rank,
                workers: size,
                groups: config.groups,
                timeout: config.timeout,
                threads: (threads()? / size).max(1),
                devices: config.devices.clone(),
                stream_kind: config.stream_kind.clone(),
                address: place.address().to_owned(),
                model: model.clone(),
            };
            line.send(&Order::Start(setup), &self.shared)?;
        }
        await_ready(config, |rank| match self.shared.lines[rank].receive(READY, deadline) {
            Err(_) => Err(self.shared.failure()),
            reply => reply,
        })
    }
}

impl Shared {
    fn hub(&self) -> MutexGuard<'_, Hub> {
        lock(&self.hub)
    }

    /// The time since the start.
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn wake(&self) {
        // One that is not taken yet is enough.
        let _ = (&self.wake).write(&[1]);
    }

    fn ending(&self) -> Option<Instant> {
        lock(&self.end).by
    }

    fn set_left(&self, left: Vec<usize>) {
        lock(&self.end).left = left;
    }

    fn send(&self, orders: Orders) {
        for (worker, order) in orders {
            // Who does not get it is lost.
            let _ = self.lines[worker].send(&order, self);
        }
    }

    /// Why the session has ended.
    fn failure(&self) -> Error {
        self.progress.closed().map_or_else(ended, |failure| {
            Error::from(failure.clone()).help(
                "the `main` of a worker must come to this session or call `ringwood::session::serve`, \
                 and leave its standard input alone before",
            )
        })
    }
}

impl Line {
    fn new(stream: UnixStream) -> std::io::Result<Self> {
        stream.set_nonblocking(true)?;
        let (outbox, behind) = (Mutex::default(), AtomicBool::new(false));
        Ok(Self { stream, outbox, behind, mailbox: Mutex::default(), arrived: Condvar::new() })
    }

    fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }

    /// Hands a message over, without waiting: what the stream does not take, the keeper sends.
    fn send(&self, order: &Order, shared: &Shared) -> Result<()> {
        let packet = Packet::of(order)?;
        lock(&self.outbox).push(packet)?;
        if !self.flush() {
            shared.wake();
        }
        Ok(())
    }

    /// Sends what the stream takes; whether that is all.
    fn flush(&self) -> bool {
        // A stream that is broken shows where it is read.
        let all = lock(&self.outbox).flush(&self.stream).unwrap_or(true);
        self.behind.store(!all, Ordering::Relaxed);
        all
    }

    /// Takes what callers wait for; gives back what they do not.
    fn deliver(&self, report: Report) -> Option<Report> {
        let mut mailbox = lock(&self.mailbox);
        match report {
            Report::Reply(reply) => mailbox.replies.entry(reply.request).or_default().push(reply),
            Report::Done(commands) => mailbox.done = commands,
            other => return Some(other),
        }
        self.arrived.notify_all();
        None
    }

    fn lose(&self) {
        lock(&self.mailbox).lost = true;
        self.arrived.notify_all();
    }

    /// Waits until `ready` gives a value; `None` at the deadline.
    ///
    /// # Errors
    /// The worker is gone.
    fn wait<T>(
        &self,
        deadline: Instant,
        ready: impl Fn(&mut Mailbox) -> Option<T>,
    ) -> Result<Option<T>> {
        let mut mailbox = lock(&self.mailbox);
        loop {
            if let Some(value) = ready(&mut mailbox) {
                return Ok(Some(value));
            }
            if mailbox.lost {
                return Err(ended());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let woken = self.arrived.wait_timeout(mailbox, left);
            mailbox = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn receive(&self, request: u64, deadline: Instant) -> Result<Option<Reply>> {
        self.wait(deadline, |mailbox| {
            let replies = mailbox.replies.get_mut(&request)?;
            let reply = replies.remove(0);
            if replies.is_empty() {
                mailbox.replies.remove(&request);
            }
            Some(reply)
        })
    }
}

/// The controller's end of the stream to one worker.
struct Controller {
    rank: usize,
    shared: Arc<Shared>,
}

impl ControllerEnd for Controller {
    fn send(&self, command: Command, deadline: Instant) -> Result<()> {
        let Self { rank, shared } = self;
        let line = &shared.lines[*rank];
        if matches!(command, Command::Shutdown) {
            shared.hub().end();
        }
        let room = |mailbox: &mut Mailbox| {
            let room = mailbox.sent - mailbox.done.min(mailbox.sent) < QUEUE as u64;
            room.then(|| mailbox.sent += 1)
        };
        line.wait(deadline, room)?.ok_or_else(behind)?;
        line.send(&Order::Command(command), shared)
    }

    fn receive(&self, request: u64, deadline: Instant) -> Result<Option<Reply>> {
        self.shared.lines[self.rank].receive(request, deadline)
    }
}

impl Workers for Processes {
    fn size(&self) -> usize {
        self.ends.len()
    }

    fn end(&self, worker: usize) -> &dyn ControllerEnd {
        &self.ends[worker]
    }

    fn closed(&self) -> Option<Failure> {
        self.shared.progress.closed().cloned()
    }

    fn close(&self, failure: Failure) {
        let orders = self.shared.hub().close(failure);
        self.shared.send(orders);
    }

    fn activity(&self, worker: usize) -> String {
        self.shared.progress.activity(worker)
    }

    fn waiting(&self) -> Option<String> {
        self.shared.progress.waiting()
    }

    fn history(&self) -> History {
        self.shared.progress.history()
    }

    fn join(&self, deadline: Instant) -> Vec<usize> {
        self.shared.hub().end();
        lock(&self.shared.end).by.get_or_insert(deadline);
        self.shared.wake();
        if let Some(keeper) = lock(&self.keeper).take() {
            // It runs the caller's sink of lines, which may panic.
            let _ = keeper.join();
        }
        lock(&self.shared.end).left.clone()
    }

    fn fate(&self) -> &'static str {
        "were killed"
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        self.join(Instant::now());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
