//! The first failure of a group, which sticks.

use ringwood_base::Error;
use ringwood_base::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;

/// The first failure of a group: it sticks and reaches every rank with the same text.
#[derive(Default)]
pub struct Failure {
    raised: AtomicBool,
    error: OnceLock<Error>,
    /// The rank that raised it, if one of this process did by name.
    rank: OnceLock<usize>,
    relay: OnceLock<Box<dyn Relay>>,
}

/// What carries the failure of a group whose ranks are in several processes.
pub trait Relay: Send + Sync {
    /// Offers a failure of this process to the others, once; returns the first one of the group.
    fn offer(&self, error: Error) -> Error;

    /// The failure that another process has offered.
    fn heard(&self) -> Option<Error>;
}

impl Failure {
    /// Records a failure, unless an earlier one sticks; returns the one that does.
    pub fn raise(&self, error: Error) -> Error {
        self.record(error, None)
    }

    /// [`Failure::raise`] by a rank.
    pub(crate) fn raise_by(&self, rank: usize, error: Error) -> Error {
        self.record(error, Some(rank))
    }

    /// The rank that raised the failure that sticks, if that is known.
    pub(crate) fn rank(&self) -> Option<usize> {
        self.rank.get().copied()
    }

    fn record(&self, error: Error, rank: Option<usize>) -> Error {
        let elect = || match (self.relay.get(), rank) {
            (Some(relay), _) => relay.offer(error),
            (None, Some(rank)) => {
                let _ = self.rank.set(rank);
                error
            }
            (None, None) => error,
        };
        let first = self.error.get_or_init(elect).clone();
        // Sequentially consistent: a rank that enters a call is seen by the one that raises, or sees
        // the failure.
        self.raised.store(true, Ordering::SeqCst);
        first
    }

    /// Whether a failure sticks in this process.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    /// The failure that sticks.
    pub fn get(&self) -> Option<Error> {
        if self.is_raised() {
            return self.error.get().cloned();
        }
        let heard = self.relay.get()?.heard()?;
        Some(self.raise(heard))
    }

    /// Joins this process's failure with that of the others; the first relay stays.
    pub fn relay(&self, relay: impl Relay + 'static) {
        let _ = self.relay.set(Box::new(relay));
    }
}
