//! How far a stream has come, counted.

use super::{Status, linger};
use ringwood_base::deadline::deadline;
use ringwood_base::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use ringwood_base::sync::{Condvar, Mutex, thread_local};
use ringwood_base::{Error, Result};
use std::cell::Cell;
use std::sync::{OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The commands of a stream, numbered from 1 in the order in which they are submitted: how many there
/// are, how many are over, and which one failed first.
///
/// It tells the end of every command, also of one that nobody asked about before others followed it.
/// A backend that hands it out with [`Backend::progress`](super::Backend::progress) is spared an event
/// for each submission.
///
/// ```
/// use ringwood_base::{Error, ErrorKind};
/// use ringwood_device::backend::{Progress, Status};
///
/// let progress = Progress::default();
/// let (good, bad) = (progress.submit(), progress.submit());
/// progress.pass(good);
/// progress.fail(bad, Error::backend("broken"));
/// progress.pass(bad);
/// assert!(matches!(progress.status(good), Status::Done));
/// assert!(matches!(progress.status(bad), Status::Failed(_)));
/// ```
#[derive(Default)]
pub struct Progress {
    submitted: AtomicU64,
    over: AtomicU64,
    /// The number of the first command that failed, and why.
    failure: OnceLock<(u64, Error)>,
    /// Whether somebody may wait for `changed`.
    awaited: AtomicBool,
    waiters: Mutex<()>,
    changed: Condvar,
}

thread_local! {
    /// The address of the [`Progress`] whose commands this thread runs; 0 if it runs none.
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

/// How long a waiter sleeps at most before it looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

impl Progress {
    /// Counts a command, before whoever runs it can see it; its number.
    ///
    /// Of commands that several threads submit at once, one may run before another one of a smaller
    /// number; whoever asks how many there are after its own submission counts at least that one.
    pub fn submit(&self) -> u64 {
        self.submitted.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Takes back the count of a command that nobody will run.
    pub fn retract(&self) {
        self.submitted.fetch_sub(1, Ordering::AcqRel);
    }

    /// Notes that this thread runs the commands, as long as it lives: a wait for them from inside of one
    /// is refused, since it would never end.
    pub fn run_here(&self) {
        RUNS.with(|runs| runs.set(std::ptr::from_ref(self).addr()));
    }

    pub(crate) fn is_run_here(&self) -> bool {
        RUNS.with(Cell::get) == std::ptr::from_ref(self).addr()
    }

    /// Whether this thread runs the commands of any stream.
    pub(crate) fn any_is_run_here() -> bool {
        RUNS.with(Cell::get) != 0
    }

    /// How many commands were submitted.
    pub fn submitted(&self) -> u64 {
        self.submitted.load(Ordering::Acquire)
    }

    /// How many commands are over, in success or failure.
    pub fn over(&self) -> u64 {
        self.over.load(Ordering::Acquire)
    }

    /// How many of the first commands are known to have succeeded.
    pub fn done(&self) -> u64 {
        let over = self.over();
        self.failure.get().map_or(over, |(first, _)| over.min(first - 1))
    }

    /// Notes the first failure: that of command `at`. All after it fail, too.
    pub fn fail(&self, at: u64, error: Error) {
        let _ = self.failure.set((at, error));
    }

    /// The first failure.
    #[inline]
    pub fn failure(&self) -> Option<&Error> {
        self.failure.get().map(|(_, error)| error)
    }

    /// Notes that all commands up to `at` are over, and that the device uses none of their memory any
    /// more. Called by whoever runs the commands, one at a time.
    pub fn pass(&self, at: u64) {
        self.over.store(at, Ordering::Release);
        // A waiter that this does not see yet looks again by itself.
        if self.awaited.load(Ordering::Relaxed) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        let waiters = self.waiters.lock().unwrap_or_else(PoisonError::into_inner);
        self.awaited.store(false, Ordering::Relaxed);
        drop(waiters);
        self.changed.notify_all();
    }

    /// The state of the commands up to `at`.
    pub fn status(&self, at: u64) -> Status {
        match self.outcome(at) {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(error)) => Status::Failed(error),
        }
    }

    fn outcome(&self, at: u64) -> Option<Result<()>> {
        if self.over() < at {
            return None;
        }
        match self.failure.get() {
            Some((first, error)) if *first <= at => Some(Err(error.clone())),
            _ => Some(Ok(())),
        }
    }

    /// Blocks until the commands up to `at` are over.
    ///
    /// # Errors
    /// The failure of one of them, or [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    pub fn block(&self, at: u64, timeout: Duration) -> Result<()> {
        if let Some(outcome) = linger(timeout, || self.outcome(at)) {
            return outcome;
        }
        let deadline = deadline(timeout);
        let mut waiters = self.waiters.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            self.awaited.store(true, Ordering::Relaxed);
            if let Some(outcome) = self.outcome(at) {
                return outcome;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = format!("the work was still pending after {timeout:?}");
                return Err(Error::timeout(message));
            }
            let woken = self.changed.wait_timeout(waiters, left.min(LOOK_AGAIN));
            waiters = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests;
