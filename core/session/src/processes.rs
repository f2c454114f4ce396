//! Workers as processes of this machine.
//!
//! Each is this program, started once more, with a stream to the controller as its standard input: no port, no
//! name and no secret is needed. Large elements travel as sealed memory, collectives run in an
//! arena that the workers share.

mod child;
mod inlet;
mod keeper;
mod line;
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
use crate::system::{refused, spawn};
use keeper::Keeper;
use line::Line;
use outbox::Outbox;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_collective::{Group, Processes as Started};
use ringwood_device::device::Runtime;
use ringwood_transport::{Arena, Transport};
use std::env;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::process::exit;
use std::sync::atomic::Ordering;
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
    /// By when the processes have to end.
    end: Mutex<Option<Instant>>,
    /// Gives those that did not.
    keeper: Mutex<Option<JoinHandle<Vec<usize>>>>,
}

/// What to do where this process may open no more files.
const FILES: &str = "each worker takes three open files: see `ulimit -n`";

/// Serves the session that this process is a worker of, and ends the process; returns if it is none.
pub(super) fn serve(runtime: Option<&Runtime>) {
    let served = place::take()
        .and_then(|stream| stream.map(|stream| link::run(stream, runtime.cloned())).transpose());
    match served {
        Ok(None) => {}
        Ok(Some(())) => exit(0),
        // As a controller, it would start workers, which would start workers.
        Err(error) => give_up(&error),
    }
}

impl SessionKind for Processes {
    fn takes(&self, _transport: &str) -> bool {
        true
    }

    /// A worker that ends before it is ready fails the start.
    fn start(&self, _session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        serve(config.runtime.as_ref());
        place::check_thread()?;
        let size = config.workers;
        let failed = |cause: io::Error| {
            refused(format!("cannot make the streams to {size} workers"))(cause).help(FILES)
        };
        // They may be more than there is memory or files for.
        let (mut lines, mut streams) = (Vec::new(), Vec::new());
        for _ in 0..size {
            let (here, there) = UnixStream::pair().map_err(failed)?;
            here.set_read_timeout(Some(GLANCE)).map_err(failed)?;
            lines.push(Line::new(here));
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
        *lock(&lines.keeper) = Some(start(keeper, config, streams)?);
        controller.begin(config)
    }

    /// This process waits for the ranks, and ends as they do.
    fn rank(&self, asked: Option<&SessionBuilder>) -> Result<Option<Spmd>> {
        let Some(builder) = asked else { return Ok(None) };
        place::check_thread()?;
        let ranks = builder.count()?;
        let transport = builder.config.transport.as_deref().unwrap_or("arena");
        let group = Group::builder(ranks).transport(transport);
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

fn start(
    mut keeper: Keeper,
    config: &Config,
    streams: Vec<UnixStream>,
) -> Result<JoinHandle<Vec<usize>>> {
    let (tell, told) = mpsc::channel();
    let config = config.clone();
    let body = move || {
        let started = keeper.start(&config, streams);
        drop(config);
        let starts = started.is_ok();
        let _ = tell.send(started);
        if starts { keeper.run() } else { Vec::new() }
    };
    let keeper = spawn("keeper", "cannot start the thread that keeps the workers", body)?;
    told.recv().map_err(|_| Error::aborted("the keeper of the workers has ended"))??;
    Ok(keeper)
}

impl Lines {
    fn wake(&self) {
        // One that is not taken yet is enough.
        let _ = (&self.wake).write(&[1]);
    }
}

impl Links for Lines {
    /// What the stream does not take, the keeper sends.
    fn send(&self, worker: usize, packet: Packet) -> Result<()> {
        let line = &self.lines[worker];
        Outbox::push(&line.outbox, packet)?;
        if !line.flush().unwrap_or(false) {
            self.wake();
        }
        Ok(())
    }

    /// The keeper sends it in its next turn.
    fn defer(&self, worker: usize, packet: Packet) -> Result<()> {
        let line = &self.lines[worker];
        Outbox::push(&line.outbox, packet)?;
        line.behind.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn hear(&self, worker: usize, controller: &Controller) -> bool {
        let line = &self.lines[worker];
        if line.is_behind() {
            return false;
        }
        let open = line.lend(worker, controller);
        if open == Some(false) {
            self.wake();
        }
        open == Some(true)
    }

    fn transport(&self) -> &'static dyn Transport {
        &Arena
    }

    fn end(&self, deadline: Instant) -> Vec<usize> {
        lock(&self.end).get_or_insert(deadline);
        self.wake();
        let keeper = lock(&self.keeper).take();
        keeper.and_then(|keeper| keeper.join().ok()).unwrap_or_default()
    }

    fn fate(&self) -> &'static str {
        "were killed"
    }

    fn help(&self) -> &'static str {
        "the `main` of a worker must come to this session or call `ringwood::session::serve`, \
         and leave its standard input alone before"
    }
}
