//! Waiting for another thread: spin, then yield, then sleep, never for ever.

use crate::flight;
use ringwood_base::deadline::deadline;
use ringwood_base::sync::{spin_loop, thread};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// How many times to look before the core is offered to others.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    spins: u32,
}

/// After so many yields the waiter sleeps between looks.
const YIELDS: u32 = 2_000;
/// The clock is read once in so many yields.
const LOOK_AT_CLOCK: u32 = 32;
const SLEEP: Duration = Duration::from_micros(100);

/// A bound for the waits of a call. Its clock starts with the first wait that is not over at once,
/// so that a call whose peers are there reads no clock.
pub(super) struct Limit {
    timeout: Duration,
    end: Cell<Option<Instant>>,
}

impl Limit {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout, end: Cell::new(None) }
    }

    fn start(&self) -> Instant {
        let end = self.end.get().unwrap_or_else(|| deadline(self.timeout));
        self.end.set(Some(end));
        end
    }
}

impl Patience {
    /// For `threads` threads that wait for each other: spinning helps only if each has a core.
    pub(super) fn for_threads(threads: usize) -> Self {
        let cores = ringwood_base::sync::cores();
        Self { spins: if threads <= cores { 1_000 } else { 10 } }
    }

    /// Looks until `done` gives a value, or `hopeless` does, which is asked less often; `None` when
    /// the limit is reached. What is waited for comes of rank `peer`.
    #[inline]
    pub(super) fn wait<T>(
        self,
        peer: usize,
        limit: &Limit,
        done: impl Fn() -> Option<T>,
        hopeless: impl Fn() -> Option<T>,
    ) -> Option<T> {
        for _ in 0..self.spins {
            if let Some(value) = done() {
                return Some(value);
            }
            spin_loop();
        }
        Self::wait_slowly(peer, limit.start(), done, hopeless)
    }

    #[cold]
    fn wait_slowly<T>(
        peer: usize,
        end: Instant,
        done: impl Fn() -> Option<T>,
        hopeless: impl Fn() -> Option<T>,
    ) -> Option<T> {
        let mut yields = 0;
        flight::waits_for(peer);
        loop {
            if let Some(value) = done() {
                flight::waited();
                return Some(value);
            }
            if let Some(value) = hopeless() {
                return Some(value);
            }
            if yields < YIELDS {
                yields += 1;
                thread::yield_now();
            } else {
                thread::sleep(SLEEP);
            }
            let look = yields == YIELDS || yields % LOOK_AT_CLOCK == 0;
            if look && Instant::now() >= end {
                return done();
            }
        }
    }
}

#[cfg(test)]
mod tests;
