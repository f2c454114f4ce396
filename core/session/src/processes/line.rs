//! The stream to one worker, and who hears it: a caller that waits for the worker, or else the keeper.
//!
//! To wake a caller takes longer than to answer it, so that it reads the stream itself. The keeper leaves a stream
//! alone that a caller has read lately, and comes back to it when none does any more.

use super::FILES;
use super::inlet::Inlet;
use super::outbox::Outbox;
use crate::channel::GLANCE;
use crate::remote::Controller;
use ringwood_base::sync::lock;
use ringwood_base::{Error, ErrorKind};
use std::io;
use std::iter::from_fn;
use std::os::unix::net::UnixStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The stream to one worker.
pub(super) struct Line {
    pub(super) stream: UnixStream,
    /// Held by who reads.
    pub(super) ear: Mutex<Ear>,
    pub(super) outbox: Mutex<Outbox>,
    /// Whether the stream has not taken all of it.
    pub(super) behind: AtomicBool,
}

#[derive(Default)]
pub(super) struct Ear {
    inlet: Inlet,
    /// When a caller has read last.
    lent: Option<Instant>,
    /// Why there is no more to hear.
    end: Option<End>,
}

/// How a stream has ended.
#[derive(Clone)]
pub(super) enum End {
    /// The worker has closed it.
    Closed,
    /// This process cannot take what comes, for a reason of its own.
    Deaf(Error),
    /// What has come cannot be understood.
    Wrong(String),
}

impl Line {
    pub(super) fn new(stream: UnixStream) -> Self {
        let (ear, outbox) = (Mutex::default(), Mutex::default());
        Self { stream, ear, outbox, behind: false.into() }
    }

    pub(super) fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }

    /// Whether a caller reads, or has done so lately, so that the keeper need not.
    pub(super) fn is_lent(&self) -> bool {
        let lately = |last: Instant| last.elapsed() < GLANCE;
        self.ear.try_lock().map_or(true, |ear| ear.lent.is_some_and(lately))
    }

    /// Whether there is no more to read.
    pub(super) fn has_ended(&self) -> bool {
        self.ear.try_lock().is_ok_and(|ear| ear.end.is_some())
    }

    /// Sends what the stream takes; whether that is all.
    ///
    /// # Errors
    /// The system takes nothing now: it has no memory, or too many files are on their way.
    pub(super) fn flush(&self) -> io::Result<bool> {
        let mut outbox = lock(&self.outbox);
        let all = outbox.flush(&self.stream, false).or_else(|cause| match cause.kind() {
            // A stream that is broken shows where it is read.
            io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => Ok(true),
            _ => Err(cause),
        });
        self.behind.store(!matches!(all, Ok(true)), Ordering::Relaxed);
        all
    }

    /// Tells what there is; how the stream has ended, if it has. A caller that reads it hears the end as well.
    pub(super) fn read(&self, worker: usize, controller: &Controller) -> Option<End> {
        self.ear.try_lock().ok()?.read(&self.stream, false, worker, controller)
    }

    /// Tells what comes within [`GLANCE`], for a caller that waits; whether the stream goes on, if nobody else reads it.
    pub(super) fn lend(&self, worker: usize, controller: &Controller) -> Option<bool> {
        let mut ear = self.ear.try_lock().ok()?;
        let open = ear.read(&self.stream, true, worker, controller).is_none();
        ear.lent = open.then(Instant::now);
        Some(open)
    }
}

impl Ear {
    fn read(
        &mut self,
        stream: &UnixStream,
        waits: bool,
        worker: usize,
        controller: &Controller,
    ) -> Option<End> {
        let Self { inlet, end, .. } = self;
        if end.is_none() {
            match inlet.read(stream, waits) {
                Ok(true) => {}
                Ok(false) => *end = Some(End::Closed),
                Err(cause) => {
                    *end = Some(End::Deaf(Error::unavailable(cause.to_string()).help(FILES)));
                }
            }
            let next = || {
                inlet.next().unwrap_or_else(|error| {
                    *end = Some(match error.kind() {
                        ErrorKind::OutOfMemory => End::Deaf(error),
                        _ => End::Wrong(error.to_string()),
                    });
                    None
                })
            };
            controller.hear(worker, from_fn(next));
        }
        end.clone()
    }
}

#[cfg(test)]
mod tests;
