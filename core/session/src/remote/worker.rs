//! A worker that is another process, over its link to the controller.

use super::orders::Orders;
use crate::channel::WorkerEnd;
use crate::config::Config;
use crate::function::{check_functions, check_version};
use crate::placement::Placement;
use crate::progress::{Observer, Track};
use crate::protocol::{Command, Event, Failure, Order, Reply, Report, Scope, Setup};
use crate::system::spawn;
use crate::wire::Packet;
use ringwood_base::sync::lock;
use ringwood_base::sync::{default_threads, set_threads};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::AbortHandle;
use ringwood_device::device::Runtime;
use ringwood_transport::Transport;
use ringwood_transport::flight::{Flight, install};
use ringwood_transport::process;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

/// What reaches the controller of a session from a worker.
pub trait Link: Send + Sync {
    /// The next order, which it waits for; `None` after the last one of the session.
    ///
    /// # Errors
    /// What has come is no order, or the link is broken.
    fn next(&self) -> Result<Option<Order>>;

    /// Takes a message along with others, in order.
    ///
    /// # Errors
    /// The message cannot be sent.
    fn push(&self, packet: Packet) -> Result<()>;

    /// Sends what was taken. A controller that is gone gets nothing.
    fn flush(&self);

    /// Over what the workers call collectives, unless [`SessionBuilder::transport`](crate::SessionBuilder::transport) says otherwise.
    fn transport(&self) -> &'static dyn Transport;

    /// A worker among those of its machine, before its first order: as in the session, by default.
    fn placement(&self, rank: usize, workers: usize) -> Placement {
        Placement::new(rank, workers)
    }
}

/// The exit code of a worker that does not understand its controller.
const MISUNDERSTOOD: i32 = 70;

/// Serves a controller that has begun with this order; returns when it has shut the worker down, with the thread that
/// takes orders, which ends after the last one.
///
/// # Errors
/// It begins with something else than the start; the thread cannot be started.
pub fn serve(
    link: Arc<dyn Link>,
    begin: Option<Order>,
    runtime: Option<Runtime>,
) -> Result<JoinHandle<()>> {
    let Some(Order::Start(setup)) = begin else {
        return Err(Error::protocol("the controller begins with something else than the start"));
    };
    let Setup { rank, config, address, model, flight, version, functions } = setup;
    let config = Config { runtime, ..*config };
    let workers = config.workers;
    default_threads(config.share);
    // A number that was given to this process itself stays.
    let _ = config.threads.map(set_threads);
    let (name, place) = (format!("worker {rank} of {workers}"), link.placement(rank, workers));
    let remote = Arc::new(Remote::new(name, link));
    let reader = Arc::clone(&remote);
    let listener =
        spawn("orders", "cannot start the thread that takes the controller's orders", move || {
            reader.orders.listen(|done| reader.tell_done(done), || reader.next());
        })?;
    // Workers of another machine than the controller's keep a record that is seen there.
    install(Flight::join(&flight).or_else(|_| Flight::create(workers))?, rank);
    let open = || {
        // What another version shares with the others may look otherwise.
        check_version(&version).map_err(|error| remote.named(&error))?;
        let group = config.group(remote.link.transport())?;
        let group = group.agreed_model(&model)?.join(rank, &address)?;
        let _ = remote.group.set(group.abort_handle());
        let checked = check_functions(config.runtime()?.registry(), &functions);
        checked.map_err(|error| remote.named(&error))?;
        Ok(group)
    };
    crate::serve::serve(&config, place, remote.clone(), open, &mut Arc::clone(&remote));
    remote.orders.leave();
    // Who waits for this worker hears of its last call.
    remote.link.flush();
    Ok(listener)
}

/// Ends this process since it does not understand its controller.
pub fn give_up(error: &Error) -> ! {
    // A standard error that nobody reads any more is no reason to stay.
    let _ = writeln!(io::stderr(), "error: {error}");
    process::leave(MISUNDERSTOOD)
}

impl WorkerEnd for Arc<Remote> {
    fn receive(&mut self) -> Option<Command> {
        self.orders.take(|done| self.tell_done(done), || self.next())
    }

    fn send(&mut self, reply: Reply) {
        let Reply { request, outcome } = reply;
        let outcome =
            outcome.and_then(|value| value.on_host().map_err(|error| self.failure(&error)));
        self.done(self.orders.taken());
        self.report(&Report::Reply(Reply { request, outcome }));
    }
}

/// The controller, as its worker sees it.
pub(super) struct Remote {
    /// The worker, in words.
    name: String,
    link: Arc<dyn Link>,
    /// The commands that it was told are done.
    done: AtomicU64,
    orders: Orders,
    closed: OnceLock<Failure>,
    group: OnceLock<AbortHandle>,
    track: Mutex<Track>,
}

impl Remote {
    pub(super) fn new(name: String, link: Arc<dyn Link>) -> Self {
        let (done, orders, track) = (AtomicU64::new(0), Orders::default(), Mutex::default());
        let (closed, group) = (OnceLock::new(), OnceLock::new());
        Self { name, link, done, orders, closed, group, track }
    }

    /// Waits for the next order, and obeys it or keeps it for the worker.
    pub(super) fn next(&self) {
        match self.link.next() {
            Ok(Some(Order::Command(command))) => self.orders.add(command),
            Ok(Some(Order::Close(failure))) => self.closed_by_controller(failure),
            Ok(Some(Order::Absent { wait, failure })) => self.miss(wait, failure),
            Ok(Some(Order::Ping(wait))) => {
                let waits = lock(&self.track).is_in(wait);
                self.report(&Report::Pong(if waits { wait } else { 0 }));
            }
            Ok(Some(Order::Start(_))) => {
                give_up(&Error::protocol("a worker is started twice"));
            }
            Ok(None) => self.over(),
            Err(error) => give_up(&error),
        }
    }

    /// Why this worker does not start beside its controller.
    fn named(&self, error: &Error) -> Error {
        let text = format!("{} runs another program than its controller: {error}", self.name);
        Error::new(error.kind(), text)
    }

    /// A failure of this worker.
    fn failure(&self, error: &Error) -> Failure {
        Failure { text: format!("{}: {error}", self.name), ..error.into() }
    }

    /// Tells the controller at once.
    fn report(&self, report: &Report) {
        self.push(report);
        self.link.flush();
    }

    fn push(&self, report: &Report) {
        let push = |report: &Report| Packet::of(report).and_then(|packet| self.link.push(packet));
        let pushed = push(report).or_else(|error| {
            // The only one that has no bound, and may find no memory, is a result.
            let Report::Reply(reply) = report else { return Err(error) };
            let outcome = Err(self.failure(&error));
            push(&Report::Reply(Reply { request: reply.request, outcome }))
        });
        if let Err(error) = pushed {
            give_up(&error);
        }
    }

    fn done(&self, commands: u64) {
        if self.done.fetch_max(commands, Ordering::Relaxed) < commands {
            self.push(&Report::Done(commands));
        }
    }

    /// Tells the controller all that it was not told yet.
    fn tell_done(&self, commands: u64) {
        self.done(commands);
        self.link.flush();
    }

    fn closed_by_controller(&self, failure: Failure) {
        let _ = self.closed.set(failure.clone());
        if let Some(group) = self.group.get() {
            group.abort(failure.into());
        }
    }

    /// The controller says no more: it has not waited for this worker, if that still runs.
    fn over(&self) {
        if self.orders.end() {
            let text = "the controller has ended the session".into();
            self.closed_by_controller(Failure::closing(ErrorKind::Aborted, text));
        }
    }

    /// Closes the session if the worker still is in this wait.
    fn miss(&self, wait: u64, failure: Failure) {
        if lock(&self.track).is_in(wait) {
            self.close(failure);
        }
    }
}

impl Observer for Remote {
    fn tell(&self, _rank: usize, event: Event) -> Result<(), Failure> {
        let urgent = event.is_urgent();
        lock(&self.track).note(event.clone(), false);
        self.push(&Report::Event(event));
        if urgent {
            self.link.flush();
        }
        self.closed.get().cloned().map_or(Ok(()), Err)
    }

    fn closed(&self) -> Option<&Failure> {
        self.closed.get()
    }

    /// The controller chooses among the failures that workers tell, and releases all with one.
    fn close(&self, failure: Failure) -> &Failure {
        let failure = Failure { closes: true, ..failure };
        if self.closed.get().is_none() {
            self.report(&Report::Close(failure.clone()));
        }
        self.closed.get_or_init(|| failure)
    }

    fn follow(&self, _rank: usize, scope: Scope, begun: Arc<AtomicU64>) {
        lock(&self.track).follow(scope, begun);
    }
}
