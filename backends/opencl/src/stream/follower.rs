//! The thread of a stream: does what is to be done on the host when commands complete.

use crate::error::Status as Code;
use crate::event::Event;
use crate::kernel::Kernel;
use crate::sys::{self, Landing, Queue};
use crossbeam_channel::{Receiver, Sender};
use ringwood_core::backend::HostSink;
use ringwood_core::{Error, ErrorKind, Result};
use ringwood_ir::print::{FAULT_WORDS, fault};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The first failure of a stream; it sticks. Only the thread sets it, in the order of the stream.
pub(super) type Failure = OnceLock<Error>;

/// The bound of every wait inside of a stream for another one. It ends earlier if its peer does: a
/// stream completes or fails all of its events.
pub(super) const LIMIT: Duration = Duration::from_secs(600);

/// A command under way.
pub(super) struct Item {
    /// Its completion; `None` if it never came to the queue.
    pub(super) done: Option<sys::Event>,
    pub(super) work: Work,
}

/// What a command needs while it runs, and what follows it.
pub(crate) enum Work {
    Nothing,
    /// Host bytes that the device reads.
    Keep(Arc<[u8]>),
    Read {
        target: Landing,
        sink: HostSink,
    },
    /// The fault cell after a launch of the kernel.
    Check {
        target: Landing,
        kernel: Arc<Kernel>,
    },
    Record(Event),
    Wait(Event),
    Fail(Error),
}

/// Starts the thread; it ends when the stream is dropped and all submitted work has run.
pub(super) fn start(number: u64, queue: Arc<Queue>) -> Result<(Sender<Item>, Arc<Failure>)> {
    let (send, receive) = crossbeam_channel::unbounded();
    let failure = Arc::new(Failure::new());
    let sticky = Arc::clone(&failure);
    std::thread::Builder::new()
        .name(format!("opencl stream {number}"))
        .spawn(move || follow(&receive, &queue, &sticky))
        .map_err(|e| {
            Error::new(ErrorKind::Backend, "opencl: cannot start a stream's thread").because(e)
        })?;
    Ok((send, failure))
}

fn follow(items: &Receiver<Item>, queue: &Queue, failure: &Failure) {
    for item in items {
        if let Err(error) = item.settle(queue, failure.get()) {
            let _ = failure.set(error);
        }
    }
}

impl Item {
    /// Waits for the command and does what follows it.
    ///
    /// # Errors
    /// The stream's failure; the first one counts.
    fn settle(self, queue: &Queue, failed: Option<&Error>) -> Result<()> {
        // Before the command itself: its failure would hide the cause.
        let cause = match &self.work {
            Work::Wait(event) if failed.is_none() => event.block(LIMIT),
            _ => Ok(()),
        };
        let ended = match self.done.as_ref().map(|done| end_of(done, queue)) {
            None | Some(Ok(Ok(()))) => Ok(()),
            Some(Ok(Err(code))) => Err(code.during("running a command")),
            Some(Err(code)) => {
                let error = failed.cloned();
                let error = error.unwrap_or_else(|| code.during("waiting for a command"));
                self.abandon(&error);
                return Err(error);
            }
        };
        match failed {
            Some(error) => {
                self.work.fail(error);
                Ok(())
            }
            None => self.work.follow(cause.and(ended)),
        }
    }

    /// Gives up on a command of which no one knows whether it still runs: what the device may still
    /// read or write is never freed.
    pub(super) fn abandon(self, error: &Error) {
        match self.work {
            Work::Keep(source) => std::mem::forget(source),
            Work::Check { target, .. } => std::mem::forget(target),
            Work::Read { target, sink } => {
                std::mem::forget(target);
                drop(call(sink, Err(error.clone())));
            }
            other => other.fail(error),
        }
    }
}

/// How a command ended; see [`sys::Event::wait`].
fn end_of(done: &sys::Event, queue: &Queue) -> Result<Result<(), Code>, Code> {
    if !matches!(done.status(), Ok(status) if status <= 0) {
        queue.flush()?;
    }
    done.wait()
}

impl Work {
    /// What follows a command that is the first to fail, or has not failed.
    fn follow(self, ended: Result<()>) -> Result<()> {
        if let Err(error) = ended {
            self.fail(&error);
            return Err(error);
        }
        match self {
            // SAFETY: the command that wrote there is final.
            Work::Read { target, sink } => call(sink, Ok(unsafe { target.bytes() })),
            // SAFETY: as above.
            Work::Check { target, kernel } => check(unsafe { target.bytes() }, &kernel),
            Work::Record(event) => {
                event.finish(Ok(()));
                Ok(())
            }
            Work::Fail(error) => Err(error),
            Work::Nothing | Work::Keep(_) | Work::Wait(_) => Ok(()),
        }
    }

    /// Tells those who wait for the command that it failed, or that the stream did before.
    fn fail(self, error: &Error) {
        match self {
            Work::Read { sink, .. } => drop(call(sink, Err(error.clone()))),
            Work::Record(event) => event.finish(Err(error.clone())),
            _ => {}
        }
    }
}

fn check(cell: &[u8], kernel: &Kernel) -> Result<()> {
    let mut words = [0; FAULT_WORDS];
    for (word, bytes) in words.iter_mut().zip(cell.as_chunks::<4>().0) {
        *word = u32::from_ne_bytes(*bytes);
    }
    fault(&words).map_or(Ok(()), |access| Err(kernel.out_of_bounds(&access)))
}

/// Calls a sink; its panic is an error.
pub(super) fn call(sink: HostSink, bytes: Result<&[u8]>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| sink(bytes)))
        .map_err(|payload| Error::from_panic("the sink of a read", &*payload))
}
