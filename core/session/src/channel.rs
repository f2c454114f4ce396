//! What connects a controller with one worker.

use super::progress::Progress;
use super::protocol::{Command, Failure, Reply};
use ringwood_base::{Error, Result};
use std::ops::Range;
use std::time::{Duration, Instant};

/// The commands that a worker may be behind before the controller waits for it.
pub(super) const QUEUE: usize = 4096;

/// How long a wait for one worker goes on before it looks whether another one ended the session.
pub(super) const GLANCE: Duration = Duration::from_millis(5);

/// How often who waits looks whether something has come, and hands its core on in between, before it sleeps: a thread that
/// sleeps takes as long to wake as a short command to run.
pub(super) const LOOKS: u32 = 8;

/// What becomes of workers that nobody can end.
pub(super) const LEFT: &str = "are left to themselves";

/// Why a worker takes no command in time.
pub(super) fn behind(commands: usize) -> Error {
    Error::timeout(format!("is {commands} commands behind"))
}

/// Why a worker takes and answers nothing any more.
pub(super) fn ended() -> Error {
    Error::aborted("has ended")
}

/// Whether workers got a command; the first one that did not, and why.
pub(super) type Sent = Result<(), (usize, Error)>;

/// The worker's end of the channel.
pub(super) trait WorkerEnd {
    /// The next command; `None` if the controller is gone.
    fn receive(&mut self) -> Option<Command>;

    /// Answers a request; a controller that is gone gets nothing.
    fn send(&mut self, reply: Reply);
}

/// The running workers of a session, of whatever kind: what the controller needs of them.
pub trait Workers: Send + Sync {
    /// Where they are.
    fn progress(&self) -> &Progress;

    /// Hands a command over to some workers, in order.
    ///
    /// # Errors
    /// A worker took no command until the deadline, or it is gone.
    fn send(&self, workers: Range<usize>, command: Command, deadline: Instant) -> Sent;

    /// Called on a thread that waits for a worker, time and again. Whether this call has listened to the worker for some
    /// milliseconds; where another thread listens, the caller sleeps until that wakes it.
    fn hear(&self, worker: usize) -> bool;

    /// Ends the session with a failure, unless one did before, and releases all workers that wait
    /// in a collective.
    fn close(&self, failure: Failure);

    /// Waits for the end of the workers, which were told to stop; gives the ones still running at the
    /// deadline.
    fn join(&self, deadline: Instant) -> Vec<usize>;

    /// What becomes of workers that are still running then, in words.
    fn fate(&self) -> &'static str {
        LEFT
    }

    /// Whether [`Session::recover`](crate::Session::recover) can start them again.
    fn come_again(&self) -> bool {
        true
    }
}
