//! The host's half of an in-order device queue: for backends over a driver that completes commands
//! on its own time.
//!
//! A driver's queue runs commands in order and marks their completion. What remains for the host is
//! the same everywhere: to call the sinks of reads, to notice faults, to keep the first failure and
//! hand it to everyone who waits, and to know that an event is final. A [`SubmitQueue`] has a thread that does
//! this for one stream, and is how the threads of a program take turns to submit to it; an [`Event`] is what
//! others wait for. The backend brings a [`Marker`]: how its driver says
//! that a command is done.

mod completion_thread;
mod event;
mod landing;
mod quarantine;
mod submit_queue;

pub use completion_thread::{Follow, LIMIT, call_sink};
pub use event::Event;
pub use landing::{Landing, keep, landed};
pub(crate) use quarantine::quarantine;
pub use submit_queue::{SubmitGuard, SubmitQueue};

use ringwood_base::Error;

/// The completion of a command in a driver's queue.
pub trait Marker: Clone + Send + Sync + 'static {
    /// Blocks until the command is final.
    ///
    /// # Errors
    /// [`Lost::Failed`]: the command is final and failed. [`Lost::Unknown`]: nobody knows whether it
    /// still runs.
    fn wait(&self) -> Result<(), Lost>;
}

/// A command that did not complete.
#[derive(Clone, Debug)]
pub enum Lost {
    /// It is final, and failed.
    Failed(Error),
    /// Its end is unknown: what it reads and writes must stay.
    Unknown(Error),
}
