//! Workers as threads of this process.

use super::awaited::Awaited;
use super::channel::{QUEUE, Sent, WorkerEnd, Workers, behind};
use super::config::Config;
use super::kind::SessionKind;
use super::placement::Placement;
use super::progress::{Observer, Progress};
use super::protocol::{Command, Failure, Reply};
use super::serve::{READY, START, await_ready, serve};
use crate::system::refused;
use ringwood_base::Result;
use ringwood_base::deadline::deadline;
use ringwood_base::sync::{given_threads, lock};
use ringwood_collective::Communicator;
use ringwood_transport::PeerMemory;
use ringwood_transport::flight::{Flight, install};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

thread_local! {
    /// The session that this thread works for.
    static SESSION: Cell<u64> = const { Cell::new(0) };
}

/// This thread becomes a worker of a session.
pub fn enter(session: u64) {
    SESSION.set(session);
}

/// Whether this thread is a worker of a session.
pub(super) fn is_worker_of(session: u64) -> bool {
    SESSION.get() == session
}

/// Workers that are threads of this process.
pub(super) struct Threads;

crate::register_session_kind!(threads, Threads);

struct Running {
    lines: Vec<Arc<Line>>,
    progress: Arc<Progress>,
    threads: Mutex<Vec<Option<JoinHandle<()>>>>,
}

struct ThreadWorker {
    rank: usize,
    line: Arc<Line>,
    progress: Arc<Progress>,
}

/// The commands of a worker, until it or the controller is gone.
type Line = Awaited<VecDeque<Command>>;

impl SessionKind for Threads {
    fn takes(&self, _transport: &str) -> bool {
        true
    }

    fn start(&self, session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        // The kernels that need it may come late, or never.
        given_threads()?;
        let size = config.workers;
        let ranks = config.group(&PeerMemory)?.open()?;
        let group = ranks[0].abort_handle();
        let flight = Flight::create(size)?;
        let progress = Arc::new(Progress::new(size, config.groups, Some(group)));
        progress.record(Arc::clone(&flight));
        let (watched, start) = (Arc::downgrade(&progress), Instant::now());
        progress.answers.clock.looks(move || {
            watched.upgrade().into_iter().for_each(|progress| look(&progress, start.elapsed()));
        });
        let (lines, threads) = (Vec::new(), Mutex::default());
        let mut workers = Running { lines, progress, threads };
        let deadline = deadline(config.timeout.max(START));
        let started = ranks
            .into_iter()
            .try_for_each(|communicator| workers.spawn(communicator, session, config, &flight))
            .and_then(|()| {
                await_ready(config, |rank| {
                    workers.progress.receive(rank, READY, deadline, |rank| workers.hear(rank))
                })
            });
        if let Err(error) = started {
            workers.end();
            workers.join(deadline);
            return Err(error);
        }
        Ok(Arc::new(workers))
    }
}

/// Ends the session of workers that wait for each other; whoever waits for them looks.
fn look(progress: &Progress, now: Duration) {
    if let Some(circle) = progress.look(now) {
        progress.close(circle.failure);
    }
}

impl Running {
    fn spawn(
        &mut self,
        group: Communicator,
        session: u64,
        config: &Config,
        flight: &Arc<Flight>,
    ) -> Result<()> {
        let line = Arc::new(Line::default());
        let (rank, size, progress) = (group.rank(), group.size(), self.progress.clone());
        let mut end = ThreadWorker { rank, line: line.clone(), progress: progress.clone() };
        let (worker_config, flight) = (config.clone(), Arc::clone(flight));
        let body = move || {
            enter(session);
            install(flight, rank);
            let place = Placement { shares_process: true, ..Placement::new(rank, size) };
            serve(&worker_config, place, progress, || Ok(group), &mut end);
        };
        let mut builder = std::thread::Builder::new().name(format!("worker-{rank}"));
        if let Some(bytes) = config.stack_size {
            builder = builder.stack_size(bytes);
        }
        let failed = refused(format!("cannot start worker {rank} of {size}"));
        let thread = builder.spawn(body).map_err(failed)?;
        self.lines.push(line);
        lock(&self.threads).push(Some(thread));
        Ok(())
    }

    /// The workers get no more commands.
    fn end(&self) {
        self.lines.iter().for_each(|line| line.end());
    }
}

impl WorkerEnd for ThreadWorker {
    fn receive(&mut self) -> Option<Command> {
        self.line.wait(deadline(Duration::MAX), VecDeque::pop_front).ok().flatten()
    }

    fn send(&mut self, reply: Reply) {
        self.progress.answers.deliver(self.rank, reply);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

impl Drop for ThreadWorker {
    fn drop(&mut self) {
        self.line.end();
        self.progress.answers.lose(self.rank);
    }
}

impl Workers for Running {
    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn send(&self, mut workers: Range<usize>, command: Command, deadline: Instant) -> Sent {
        let room = |commands: &mut VecDeque<Command>| {
            (commands.len() < QUEUE).then(|| commands.push_back(command.clone()))
        };
        workers.try_for_each(|worker| {
            let sent = self.lines[worker].wait(deadline, room);
            sent.and_then(|sent| sent.ok_or_else(|| behind(QUEUE))).map_err(|error| (worker, error))
        })
    }

    fn hear(&self, _worker: usize) -> bool {
        self.progress.answers.clock.look();
        false
    }

    fn close(&self, failure: Failure) {
        self.progress.close(failure);
    }

    fn join(&self, deadline: Instant) -> Vec<usize> {
        let mut threads = lock(&self.threads);
        let mut left = Vec::new();
        for (rank, slot) in threads.iter_mut().enumerate() {
            let Some(thread) = slot.take() else { continue };
            // A worker cannot wait for its own end; it ends by itself when it returns.
            if thread.thread().id() == std::thread::current().id() {
                continue;
            }
            while !thread.is_finished() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_micros(200));
                self.progress.answers.clock.look();
            }
            if thread.is_finished() {
                // Its body catches every panic of user code.
                let _ = thread.join();
            } else {
                left.push(rank);
            }
        }
        left
    }
}
