//! The first failure of a group whose ranks are processes.

use super::super::record::{CAPACITY, Record, shortened, text};
use ringwood_base::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The first failure of a group, in shared memory.
#[derive(Default)]
#[repr(C)]
pub(super) struct Verdict {
    state: AtomicU64,
    /// One more than the rank that raised it; 0 if none did by name.
    rank: AtomicU64,
    record: Record,
}

const NONE: u64 = 0;
const WRITING: u64 = 1;
const WRITTEN: u64 = 2;

/// A rank writes its failure within this time, or was ended while it did.
const WRITING_TAKES: Duration = Duration::from_millis(200);

impl Verdict {
    /// Offers a failure; returns the first one of the group, as all read it. Sequentially consistent, as
    /// [`Failure::raise`](crate::Failure::raise).
    pub(super) fn offer(&self, error: Error, rank: Option<usize>) -> Error {
        let text = text(&error, CAPACITY, || shortened(&error));
        let won = self.state.compare_exchange(NONE, WRITING, Ordering::SeqCst, Ordering::Acquire);
        if won.is_ok() {
            self.rank.store(rank.map_or(0, |rank| rank as u64 + 1), Ordering::Relaxed);
            self.record.store(&text);
            self.state.store(WRITTEN, Ordering::Release);
        }
        self.heard().unwrap_or(error)
    }

    /// The rank that raised the failure.
    pub(super) fn raised_by(&self) -> Option<usize> {
        let written = self.state.load(Ordering::Acquire) == WRITTEN;
        let rank = self.rank.load(Ordering::Relaxed).checked_sub(1).filter(|_| written)?;
        usize::try_from(rank).ok()
    }

    /// The first failure of the group.
    pub(super) fn heard(&self) -> Option<Error> {
        let mut end = None;
        loop {
            match self.state.load(Ordering::SeqCst) {
                NONE => return None,
                WRITTEN => return Some(self.record.read().unwrap_or_else(|error| error)),
                WRITING if Instant::now() < *end.get_or_insert_with(deadline) => {
                    thread::yield_now();
                }
                _ => return Some(untold()),
            }
        }
    }
}

fn deadline() -> Instant {
    Instant::now() + WRITING_TAKES
}

fn untold() -> Error {
    Error::aborted("a rank failed, and was ended before it could say why")
}

#[cfg(test)]
mod tests;
