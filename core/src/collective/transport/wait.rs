//! Waiting for another thread: spin, then yield, then sleep, never for ever.

use std::hint::spin_loop;
use std::thread;
use std::time::{Duration, Instant};

/// How many times to look before the core is offered to others.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    spins: u32,
}

/// After so many yields the waiter sleeps between looks.
const YIELDS: u32 = 2_000;
/// The deadline is checked once in so many yields.
const LOOK_AT_CLOCK: u32 = 32;
const SLEEP: Duration = Duration::from_micros(100);

impl Patience {
    /// For `threads` threads that wait for each other: spinning helps only if each has a core.
    pub(super) fn for_threads(threads: usize) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Self { spins: if threads <= cores { 500 } else { 10 } }
    }

    /// Looks until `done` gives a value; `None` after the deadline.
    #[inline]
    pub(super) fn wait<T>(self, deadline: Instant, done: impl Fn() -> Option<T>) -> Option<T> {
        for _ in 0..self.spins {
            if let Some(value) = done() {
                return Some(value);
            }
            spin_loop();
        }
        Self::wait_slowly(deadline, done)
    }

    #[cold]
    fn wait_slowly<T>(deadline: Instant, done: impl Fn() -> Option<T>) -> Option<T> {
        let mut yields = 0;
        loop {
            if let Some(value) = done() {
                return Some(value);
            }
            if yields < YIELDS {
                yields += 1;
                thread::yield_now();
            } else {
                thread::sleep(SLEEP);
            }
            let look = yields == YIELDS || yields % LOOK_AT_CLOCK == 0;
            if look && Instant::now() >= deadline {
                return done();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn a_wait_ends_with_the_value_or_at_the_deadline() {
        let looks = Cell::new(0);
        let after = |n: u32| {
            looks.set(looks.get() + 1);
            (looks.get() > n).then_some(())
        };
        let far = Instant::now() + Duration::from_secs(60);
        let patience = Patience::for_threads(2);
        assert_eq!(patience.wait(far, || after(3_000)), Some(()));
        let near = Instant::now() + Duration::from_millis(20);
        assert_eq!(patience.wait(near, || None::<()>), None);
        assert!(Instant::now() >= near);
    }
}
