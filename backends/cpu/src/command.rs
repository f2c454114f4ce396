//! One item of a stream's work.

use crate::event::Event;
use crate::kernel::Work;
use crate::memory::Span;
use ringwood_base::{Error, Result};
use ringwood_device::backend::HostSink;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The first failure of a stream; it sticks.
pub(crate) type Failure = OnceLock<Error>;

/// The bound of every wait inside of a stream. A wait ends earlier if its peer does: a stream
/// completes or fails all of its events.
pub(crate) const LIMIT: Duration = Duration::from_secs(600);

/// One item of a stream's work, with all it needs.
pub(crate) enum Command {
    Write { source: Arc<[u8]>, target: Span },
    Read { source: Span, sink: HostSink },
    Copy { source: Span, target: Span },
    Fill { target: Span, byte: u8 },
    Launch(Box<Work>),
    Launches(Arc<[Work]>),
    Record(Event),
    Wait(Event),
}

impl Command {
    /// Runs the command, or passes an earlier failure of the stream on.
    pub(crate) fn run(self, failure: &Failure) {
        if let Some(error) = failure.get() {
            return self.fail(error);
        }
        if let Err(error) = self.execute() {
            // Only the stream's own thread fails it, and it holds no failure yet.
            let _ = failure.set(error);
        }
    }

    fn execute(self) -> Result<()> {
        match self {
            Command::Write { source, target } => target.write()?.copy_from_slice(&source),
            Command::Read { source, sink } => match source.read() {
                Ok(bytes) => call(sink, Ok(&bytes))?,
                Err(error) => {
                    call(sink, Err(error.clone()))?;
                    return Err(error);
                }
            },
            Command::Copy { source, target } => {
                target.write()?.copy_from_slice(&source.read()?);
            }
            Command::Fill { target, byte } => target.write()?.fill(byte),
            Command::Launch(work) => work.run()?,
            Command::Launches(all) => all.iter().try_for_each(Work::run)?,
            Command::Record(event) => event.finish(Ok(())),
            Command::Wait(event) => event.block(LIMIT)?,
        }
        Ok(())
    }

    /// Tells those who wait for the command that it will not run.
    pub(crate) fn fail(self, error: &Error) {
        match self {
            Command::Read { sink, .. } => drop(call(sink, Err(error.clone()))),
            Command::Record(event) => event.finish(Err(error.clone())),
            _ => {}
        }
    }
}

/// Calls a sink; its panic is an error.
fn call(sink: HostSink, bytes: Result<&[u8]>) -> Result<()> {
    catch_unwind(AssertUnwindSafe(|| sink(bytes)))
        .map_err(|payload| Error::from_panic("the sink of a read", payload))
}
