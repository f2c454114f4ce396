//! Workers as processes of this machine.
//!
//! Each is this program, started once more, with a stream to the controller as its standard input: no port, no
//! name and no secret is needed. Large elements travel as sealed memory, collectives run in an
//! arena that the workers share.

mod child;
mod ear;
mod inlet;
mod keeper;
mod link;
mod outbox;
mod place;
mod printer;

use super::SessionBuilder;
use super::channel::{GLANCE, Workers};
use super::config::Config;
use super::kind::SessionKind;
use super::remote::{Controller, Links, Packet, give_up};
use super::spmd::Spmd;
use super::system::{lock, refused};
use ear::Ear;
use keeper::Keeper;
use outbox::Outbox;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::{Group, Processes as Started};
use ringwood_device::device::Runtime;
use ringwood_transport::{Arena, Transport};
use std::env;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Workers that are processes of this machine.
pub(super) struct Processes;

crate::register_session_kind!(processes, Processes);

/// The streams to the workers.
struct Lines {
    lines: Vec<Line>,
    wake: UnixStream,
    end: Mutex<End>,
    keeper: Mutex<Option<JoinHandle<()>>>,
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
    /// Held by who reads.
    ear: Mutex<Ear>,
    outbox: Mutex<Outbox>,
    /// Whether the stream has not taken all of it.
    behind: AtomicBool,
}

/// Serves the session that this process is a worker of, and ends the process; returns if it is none.
pub(super) fn serve(runtime: Option<&Runtime>) {
    let Some(stream) = place::take() else { return };
    match link::run(stream, runtime.cloned()) {
        Ok(()) => exit(0),
        Err(error) => give_up(&error),
    }
}

impl SessionKind for Processes {
    /// A worker that ends before it is ready fails the start.
    fn start(&self, _session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        serve(config.runtime.as_ref());
        let size = config.workers;
        let failed = |cause: io::Error| {
            refused(format!("cannot make the streams to {size} workers"))(cause)
                .help("each worker takes three open files: see `ulimit -n`")
        };
        let mut lines = Vec::with_capacity(size);
        let mut streams = Vec::with_capacity(size);
        for _ in 0..size {
            let (here, there) = UnixStream::pair().map_err(failed)?;
            here.set_read_timeout(Some(GLANCE)).map_err(failed)?;
            let (ear, outbox) = (Mutex::default(), Mutex::default());
            lines.push(Line { stream: here, ear, outbox, behind: false.into() });
            streams.push(there);
        }
        let (wake, woken) = UnixStream::pair().map_err(failed)?;
        [&wake, &woken]
            .into_iter()
            .try_for_each(|end| end.set_nonblocking(true))
            .map_err(failed)?;
        let lines =
            Arc::new(Lines { lines, wake, end: Mutex::default(), keeper: Mutex::default() });
        let controller = Controller::new(config, Arc::clone(&lines) as Arc<dyn Links>);
        let keeper = Keeper::new(Arc::clone(&controller), Arc::clone(&lines), woken);
        *lock(&lines.keeper) = Some(spawn(keeper, config, streams)?);
        controller.begin(config)
    }

    /// This process waits for the ranks, and ends as they do.
    fn rank(&self, asked: Option<&SessionBuilder>) -> Result<Option<Spmd>> {
        let Some(builder) = asked else { return Ok(None) };
        let ranks = builder.count()?;
        let group = Group::builder(ranks).transport("arena");
        let mut processes = Started::start(group, |command, _| {
            command.args(env::args_os().skip(1));
        })?;
        let statuses = processes.wait(Duration::MAX)?;
        let failed = statuses.iter().enumerate().filter(|(_, status)| !status.success());
        let codes = failed.map(|(rank, status)| {
            eprintln!("ringwood: rank {rank} of {ranks} ended with {status}");
            status.code().unwrap_or(1)
        });
        exit(codes.fold(0, |first, code| if first == 0 { code } else { first }))
    }
}

fn spawn(mut keeper: Keeper, config: &Config, streams: Vec<UnixStream>) -> Result<JoinHandle<()>> {
    let (tell, told) = mpsc::channel();
    let config = config.clone();
    let body = move || {
        let started = keeper.start(&config, streams);
        drop(config);
        let starts = started.is_ok();
        let _ = tell.send(started);
        if starts {
            keeper.run();
        }
    };
    let keeper = std::thread::Builder::new().name("keeper".into()).spawn(body);
    let keeper = keeper.map_err(refused("cannot start the thread that keeps the workers"))?;
    told.recv()
        .map_err(|_| Error::new(ErrorKind::Aborted, "the keeper of the workers has ended"))??;
    Ok(keeper)
}

impl Lines {
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
}

impl Line {
    fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }

    /// Whether a caller reads, or has done so lately.
    fn is_lent(&self) -> bool {
        self.ear.try_lock().map_or(true, |ear| ear.is_lent())
    }

    /// Whether there is no more to read.
    fn has_ended(&self) -> bool {
        self.ear.try_lock().is_ok_and(|ear| ear.has_ended())
    }

    /// Sends what the stream takes; whether that is all.
    fn flush(&self) -> bool {
        let mut outbox = lock(&self.outbox);
        // A stream that is broken shows where it is read.
        let all = outbox.flush(&self.stream, false).unwrap_or(true);
        self.behind.store(!all, Ordering::Relaxed);
        all
    }
}

impl Links for Lines {
    /// What the stream does not take, the keeper sends.
    fn send(&self, worker: usize, packet: Packet) -> Result<()> {
        let line = &self.lines[worker];
        lock(&line.outbox).push(packet)?;
        if !line.flush() {
            self.wake();
        }
        Ok(())
    }

    /// The keeper sends it in its next turn.
    fn defer(&self, worker: usize, packet: Packet) -> Result<()> {
        let line = &self.lines[worker];
        let mut outbox = lock(&line.outbox);
        line.behind.store(true, Ordering::Relaxed);
        outbox.push(packet)
    }

    fn hear(&self, worker: usize, controller: &Controller) -> bool {
        let line = &self.lines[worker];
        if line.is_behind() {
            return false;
        }
        let Ok(mut ear) = line.ear.try_lock() else { return false };
        let open = ear.lend(&line.stream, worker, controller);
        if !open {
            self.wake();
        }
        open
    }

    fn transport(&self) -> &'static dyn Transport {
        &Arena
    }

    fn end(&self, deadline: Instant) -> Vec<usize> {
        lock(&self.end).by.get_or_insert(deadline);
        self.wake();
        if let Some(keeper) = lock(&self.keeper).take() {
            let _ = keeper.join();
        }
        lock(&self.end).left.clone()
    }

    fn fate(&self) -> &'static str {
        "were killed"
    }

    fn help(&self) -> &'static str {
        "the `main` of a worker must come to this session or call `ringwood::session::serve`, \
         and leave its standard input alone before"
    }
}
