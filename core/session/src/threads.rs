//! Workers as threads of this process.

use super::channel::{ControllerEnd, QUEUE, WorkerEnd, Workers, behind, ended};
use super::config::Config;
use super::current;
use super::kind::SessionKind;
use super::placement::Placement;
use super::progress::{Observer, Progress};
use super::protocol::{Command, Failure, Reply};
use super::serve::{READY, await_ready, serve};
use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender, bounded, unbounded};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::{Communicator, Group};
use ringwood_transport::flight::{Flight, Snapshot, install};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Workers that are threads of this process.
pub(super) struct Threads;

crate::register_session_kind!(threads, Threads);

struct Running {
    ends: Vec<ThreadController>,
    progress: Arc<Progress>,
    threads: Mutex<Vec<Option<JoinHandle<()>>>>,
}

struct ThreadController {
    commands: Sender<Command>,
    mailbox: Mutex<Mailbox>,
}

/// The replies of one worker; those that came for another caller wait in `early`.
struct Mailbox {
    replies: Receiver<Reply>,
    early: HashMap<u64, Reply>,
}

struct ThreadWorker {
    commands: Receiver<Command>,
    replies: Sender<Reply>,
}

impl SessionKind for Threads {
    fn start(&self, session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        let size = config.workers;
        let registry = config.runtime()?.registry().clone();
        let ranks = Group::builder(size).registry(registry).timeout(config.timeout).open()?;
        let group = ranks[0].abort_handle();
        let flight = Flight::create(size)?;
        let progress = Arc::new(Progress::new(size, config.groups, Some(group)));
        progress.record(Arc::clone(&flight));
        let mut workers = Running { ends: Vec::new(), progress, threads: Mutex::default() };
        let deadline = deadline(config.timeout);
        let started = ranks
            .into_iter()
            .try_for_each(|communicator| workers.spawn(communicator, session, config, &flight))
            .and_then(|()| await_ready(config, |rank| workers.ends[rank].receive(READY, deadline)));
        if let Err(error) = started {
            workers.ends.clear();
            workers.join(deadline);
            return Err(error);
        }
        Ok(Arc::new(workers))
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
        let (commands, command_queue) = bounded(QUEUE);
        let (reply_queue, replies) = unbounded();
        let mut end = ThreadWorker { commands: command_queue, replies: reply_queue };
        let (rank, size, progress) = (group.rank(), group.size(), self.progress.clone());
        let (worker_config, flight) = (config.clone(), Arc::clone(flight));
        let body = move || {
            current::enter(session);
            install(flight, rank);
            let place = Placement { shares_process: true, ..Placement::new(rank, size) };
            serve(&worker_config, place, progress, || Ok(group), &mut end);
        };
        let mut builder = std::thread::Builder::new().name(format!("worker-{rank}"));
        if let Some(bytes) = config.stack_size {
            builder = builder.stack_size(bytes);
        }
        let thread = builder.spawn(body).map_err(|cause| {
            let message = format!("cannot start worker {rank} of {size}");
            Error::new(ErrorKind::Unavailable, message).because(cause)
        })?;
        let mailbox = Mutex::new(Mailbox { replies, early: HashMap::new() });
        self.ends.push(ThreadController { commands, mailbox });
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).push(Some(thread));
        Ok(())
    }
}

impl ControllerEnd for ThreadController {
    fn send(&self, command: Command, deadline: Instant) -> Result<()> {
        self.commands.send_deadline(command, deadline).map_err(|error| match error {
            SendTimeoutError::Timeout(_) => behind(),
            SendTimeoutError::Disconnected(_) => ended(),
        })
    }

    fn receive(&self, request: u64, deadline: Instant) -> Result<Option<Reply>> {
        let mut mailbox = self.mailbox.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reply) = mailbox.early.remove(&request) {
            return Ok(Some(reply));
        }
        loop {
            match mailbox.replies.recv_deadline(deadline) {
                Ok(reply) if reply.request == request => return Ok(Some(reply)),
                Ok(reply) => drop(mailbox.early.insert(reply.request, reply)),
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
            }
        }
    }
}

impl WorkerEnd for ThreadWorker {
    fn receive(&mut self) -> Option<Command> {
        self.commands.recv().ok()
    }

    fn send(&mut self, reply: Reply) {
        let _ = self.replies.send(reply);
    }
}

impl Workers for Running {
    fn size(&self) -> usize {
        self.ends.len()
    }

    fn end(&self, worker: usize) -> &dyn ControllerEnd {
        &self.ends[worker]
    }

    fn closed(&self) -> Option<Failure> {
        self.progress.closed().cloned()
    }

    fn close(&self, failure: Failure) {
        Observer::close(&*self.progress, failure);
    }

    fn activity(&self, worker: usize) -> String {
        self.progress.activity(worker)
    }

    fn snapshot(&self) -> Snapshot {
        self.progress.snapshot()
    }

    fn join(&self, deadline: Instant) -> Vec<usize> {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left = Vec::new();
        for (rank, slot) in threads.iter_mut().enumerate() {
            let Some(thread) = slot.take() else { continue };
            // A worker cannot wait for its own end; it ends by itself when it returns.
            if thread.thread().id() == std::thread::current().id() {
                continue;
            }
            while !thread.is_finished() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_micros(200));
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

    fn fate(&self) -> &'static str {
        "are left to themselves"
    }
}
