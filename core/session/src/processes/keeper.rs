//! The thread that starts the worker processes, hears them, and sees them end.
//!
//! It lives as long as the processes: the system ends those whose starter is gone.

use super::Lines;
use super::child::Process;
use super::line::End;
use super::printer::Printer;
use crate::channel::GLANCE;
use crate::config::Config;
use crate::remote::{Controller, Ending};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_transport::process::poll;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) struct Keeper {
    controller: Arc<Controller>,
    lines: Arc<Lines>,
    /// Something is to be done at once.
    woken: UnixStream,
    children: Vec<Child>,
    ticked: Option<Instant>,
    /// When the processes were looked at last, whether they have ended.
    looked: Option<Instant>,
    /// Passes on what workers print.
    printer: Option<Printer>,
}

struct Child {
    process: Process,
    /// Whether its stream can be read.
    open: bool,
    /// Whether that is looked at now.
    looks: bool,
    /// Whether the system took nothing for it last.
    refused: bool,
    /// Whether the process was seen to have failed while its stream goes on.
    failed: bool,
}

/// A process ends soon after its stream, on a machine that is busy as well.
const ENDING: Duration = Duration::from_secs(1);
/// How long the others of a session that fails while it ends get to end.
const REST: Duration = Duration::from_millis(50);
/// A process that was killed ends within this time, or the system holds it.
const KILLING: Duration = Duration::from_secs(2);
/// How often processes are looked at whose streams go on: where something else holds the stream of one that has ended, it
/// does not close. What that one has said last is heard within this time.
const HELD: Duration = Duration::from_millis(100);
/// How often a process that is to end is looked at.
const LOOK: Duration = Duration::from_millis(2);

impl Keeper {
    pub(super) fn new(controller: Arc<Controller>, lines: Arc<Lines>, woken: UnixStream) -> Self {
        let (children, ticked, looked, printer) = (Vec::new(), None, None, None);
        Self { controller, lines, woken, children, ticked, looked, printer }
    }

    /// Starts all of the processes, or none; `streams` are their standard inputs.
    pub(super) fn start(&mut self, config: &Config, streams: Vec<UnixStream>) -> Result<()> {
        let started = self.start_all(config, streams);
        started.inspect_err(|_| drop(self.end(Instant::now())))
    }

    fn start_all(&mut self, config: &Config, streams: Vec<UnixStream>) -> Result<()> {
        let mut outputs = Vec::new();
        let started = streams.into_iter().enumerate().try_for_each(|(rank, stream)| {
            let (process, printed) = Process::start(config, rank, stream)?;
            self.controller.started(rank, &format!("process {}", process.number()));
            let (open, looks, refused, failed) = (true, true, false, false);
            self.children.push(Child { process, open, looks, refused, failed });
            outputs.extend(printed);
            Ok(())
        });
        let controller = Arc::clone(&self.controller);
        let failed = move |error: &Error| controller.fail(error);
        // Where not all were started, those that were have printed, too.
        let printer = Printer::start(outputs, config.output.clone(), failed);
        started.and(printer.map(|printer| self.printer = Some(printer)))
    }

    /// Keeps the processes until all of them have ended; gives those that were killed.
    pub(super) fn run(mut self) -> Vec<usize> {
        loop {
            let end = *lock(&self.lines.end);
            if let Some(deadline) = end {
                return self.end(deadline);
            }
            self.turn(Duration::MAX);
        }
    }

    /// Waits for the processes until a time, kills those that are left, and gives these.
    fn end(&mut self, by: Instant) -> Vec<usize> {
        let mut deadline = by;
        let mut works = self.controller.failed().is_none();
        while self.children.iter_mut().any(|child| !child.process.has_ended()) {
            if Instant::now() >= deadline {
                break;
            }
            self.turn(LOOK);
            if works && self.controller.failed().is_some() {
                (works, deadline) = (false, deadline.min(Instant::now() + REST));
            }
        }
        let mut left = Vec::new();
        for (rank, child) in self.children.iter_mut().enumerate() {
            if !child.process.has_ended() {
                child.process.kill();
                left.push(rank);
            }
        }
        for child in &mut self.children {
            let _ = child.process.end(KILLING);
        }
        self.printer.take().into_iter().for_each(|printer| printer.finish(by));
        left
    }

    /// Waits until something happens, at most for a time, and handles it.
    fn turn(&mut self, within: Duration) {
        let mut within = self.controller.patience().min(within);
        let mut files = vec![(self.woken.as_fd(), false)];
        for (child, line) in self.children.iter_mut().zip(&self.lines.lines) {
            child.looks = child.open && (line.is_behind() || !line.is_lent());
            if child.looks {
                files.push((line.stream.as_fd(), line.is_behind() && !child.refused));
            }
            if child.open && (child.refused || child.failed || !child.looks) {
                within = within.min(GLANCE);
            }
        }
        let Ok(ready) = poll(&files, within) else { return std::thread::sleep(LOOK) };
        let mut ready = ready.into_iter();
        if ready.next() == Some(true) {
            let _ = self.woken.read(&mut [0; 64]);
        }
        for rank in 0..self.children.len() {
            let child = &mut self.children[rank];
            let line = &self.lines.lines[rank];
            let stream = child.looks && ready.next() == Some(true);
            if stream || (child.open && (child.refused || line.has_ended())) {
                child.refused = line.flush().is_err();
                self.hear(rank);
            }
        }
        self.tick();
    }

    fn tick(&mut self) {
        if self.ticked.is_some_and(|last| last.elapsed() < Duration::from_millis(1)) {
            return;
        }
        self.ticked = Some(Instant::now());
        let now = self.controller.now();
        if self.controller.suspects(now) {
            (0..self.children.len()).for_each(|rank| self.look_at_once(rank));
        }
        self.controller.tick(now, |rank| self.children[rank].process.state());
        if self.looked.is_none_or(|last| last.elapsed() >= HELD) {
            self.looked = Some(Instant::now());
            (0..self.children.len()).for_each(|rank| self.look(rank));
        }
    }

    /// Sees a process fail whose stream something else holds. One that has ended well may have started what serves as the
    /// worker, and shows where that is silent.
    fn look(&mut self, rank: usize) {
        let (child, line) = (&mut self.children[rank], &self.lines.lines[rank]);
        if !child.open || child.process.failed().is_none() {
            return;
        }
        let unread = poll(&[(line.stream.as_fd(), false)], Duration::ZERO);
        if !std::mem::replace(&mut child.failed, true) || unread.is_ok_and(|ready| ready[0]) {
            return;
        }
        self.tell_failed(rank);
    }

    /// Sees a process fail whose stream may be on loan: a caller that does not get to run keeps it.
    fn look_at_once(&mut self, rank: usize) {
        if self.children[rank].open {
            self.hear(rank);
        }
        self.tell_failed(rank);
    }

    /// Tells that a process has failed, if it has and nobody was told.
    fn tell_failed(&mut self, rank: usize) {
        let child = &mut self.children[rank];
        if let Some(how) = child.process.failed().filter(|_| child.open) {
            child.open = false;
            self.controller.lose(rank, &how);
        }
    }

    /// Takes what a worker says.
    fn hear(&mut self, rank: usize) {
        let (child, line) = (&mut self.children[rank], &self.lines.lines[rank]);
        let Some(end) = line.read(rank, &self.controller) else { return };
        let how = match end {
            End::Wrong(error) => {
                child.process.kill();
                Ending::Failed(format!("speaks another language: {error}"))
            }
            End::Deaf(cause) => {
                child.process.kill();
                let message = format!("cannot hear worker {rank}: {cause}");
                self.controller.fail(&Error::new(cause.kind(), message));
                Ending::Failed(format!("was not heard: {cause}"))
            }
            End::Closed => child.process.end(ENDING).unwrap_or_else(|| {
                child.process.kill();
                Ending::Failed("closed its stream to the controller".into())
            }),
        };
        child.open = false;
        self.controller.lose(rank, &how);
    }
}

#[cfg(test)]
mod tests;
