//! Who hears a worker: a caller that waits for it, or else the keeper.
//!
//! To wake a caller takes longer than to answer it, so that it reads the stream itself. The keeper leaves a stream
//! alone that a caller has read lately, and comes back to it when none does any more.

use super::inlet::Inlet;
use crate::channel::GLANCE;
use crate::remote::Controller;
use std::iter::from_fn;
use std::os::unix::net::UnixStream;
use std::time::Instant;

/// What reads the stream from one worker.
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
    /// What has come cannot be understood.
    Wrong(String),
}

impl Ear {
    /// Tells what there is, if it `waits` what comes within [`GLANCE`]; how the stream has ended, if it has.
    pub(super) fn read(
        &mut self,
        stream: &UnixStream,
        waits: bool,
        worker: usize,
        controller: &Controller,
    ) -> Option<&End> {
        let Self { inlet, end, .. } = self;
        if end.is_none() {
            if !matches!(inlet.read(stream, waits), Ok(true)) {
                *end = Some(End::Closed);
            }
            let next = || {
                inlet.next().unwrap_or_else(|error| {
                    *end = Some(End::Wrong(error.to_string()));
                    None
                })
            };
            controller.hear(worker, from_fn(next));
        }
        end.as_ref()
    }

    /// As [`Ear::read`], for a caller that waits; whether the stream goes on.
    pub(super) fn lend(
        &mut self,
        stream: &UnixStream,
        worker: usize,
        controller: &Controller,
    ) -> bool {
        let open = self.read(stream, true, worker, controller).is_none();
        self.lent = open.then(Instant::now);
        open
    }

    /// Whether callers read, so that the keeper need not.
    pub(super) fn is_lent(&self) -> bool {
        self.lent.is_some_and(|last| last.elapsed() < GLANCE)
    }

    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }
}
