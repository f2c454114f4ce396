//! One item of a stream's work.

use crate::event::Event;
use crate::kernel::{Batch, Work};
use crate::memory::Span;
use ringwood_base::{Error, Result};
use ringwood_device::backend::queue::{LIMIT, call_sink};
use ringwood_device::backend::{HostSink, Progress, Status};
use std::sync::Arc;

/// One item of a stream's work, with all it needs.
pub(crate) enum Command {
    Write { source: Arc<[u8]>, target: Span },
    Read { source: Span, sink: HostSink },
    Copy { source: Span, target: Span },
    Fill { target: Span, byte: u8 },
    Launch(Box<Work>),
    Batch(Arc<Batch>),
    Wait(Event),
    WaitForEnd(Event),
}

impl Command {
    /// Runs the command, or passes an earlier failure of the stream on; the next one that is over.
    pub(crate) fn run(self, progress: &Progress) {
        let at = progress.over() + 1;
        match progress.failure() {
            Some(error) => self.skip(error),
            None => {
                if let Err(error) = self.execute() {
                    progress.fail(at, error);
                }
            }
        }
        progress.pass(at);
    }

    fn execute(self) -> Result<()> {
        match self {
            Command::Write { source, target } => target.write(|to| to.copy_from_slice(&source)),
            Command::Read { source, sink } => source.read(|bytes| call_sink(sink, bytes)),
            Command::Copy { source, target } => {
                target.write(|to| source.read(|from| from.map(|from| to.copy_from_slice(from))))?
            }
            Command::Fill { target, byte } => target.write(|to| to.fill(byte)),
            Command::Launch(work) => work.run(),
            Command::Batch(batch) => batch.run(),
            Command::Wait(event) => event.block(LIMIT),
            Command::WaitForEnd(event) => {
                let ended = event.block(LIMIT);
                if let Status::Pending = event.status() { ended } else { Ok(()) }
            }
        }
    }

    /// Tells those who wait for the command that it will not run.
    pub(crate) fn fail(self, error: &Error) {
        if let Command::Read { sink, .. } = self {
            drop(call_sink(sink, Err(error.clone())));
        }
    }

    /// Passes the failure of its stream on. It waits as ever: what the stream has taken counts as over
    /// when this is, and what it was to write may be written by others until then.
    fn skip(self, error: &Error) {
        match self {
            Command::Wait(event) | Command::WaitForEnd(event) => drop(event.block(LIMIT)),
            other => other.fail(error),
        }
    }
}
