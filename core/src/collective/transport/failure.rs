//! The first failure of a group, which sticks.

use crate::Error;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// The first failure of a group: it sticks and reaches every rank with the same text.
#[derive(Default)]
pub struct Failure {
    raised: AtomicBool,
    error: OnceLock<Error>,
}

impl Failure {
    /// Records a failure, unless an earlier one sticks; returns the one that does.
    pub fn raise(&self, error: Error) -> Error {
        let first = self.error.get_or_init(|| error).clone();
        // Sequentially consistent: a rank that enters a call is seen by the one that raises, or sees
        // the failure.
        self.raised.store(true, Ordering::SeqCst);
        first
    }

    /// Whether a failure sticks.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::SeqCst)
    }

    /// The failure that sticks.
    pub fn get(&self) -> Option<Error> {
        if self.is_raised() { self.error.get().cloned() } else { None }
    }
}
