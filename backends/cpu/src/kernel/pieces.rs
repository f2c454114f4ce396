//! How a loop over a domain is cut for the pool, remembered from run to run.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// The first runs are measured: the very first one may find memory cold.
const FIRST: u32 = 3;

/// After the first runs one of so many is measured: what an item takes may depend on the data.
const AGAIN: u32 = 64;

/// The pieces that the measured runs of one launch found to be worth it.
#[derive(Default)]
pub(super) struct Pieces {
    runs: AtomicU32,
    /// The items of a piece: as many as there are, or more, for a loop that is not split.
    items: AtomicUsize,
}

impl Pieces {
    /// The items of a piece of the run that begins; `None` if the run is to be measured.
    pub(super) fn begin(&self) -> Option<usize> {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        let measured = run < FIRST || run.is_multiple_of(AGAIN);
        (!measured).then(|| self.items.load(Ordering::Relaxed)).filter(|&items| items > 0)
    }

    /// Remembers what a measured run found.
    pub(super) fn keep(&self, items: usize) {
        self.items.store(items, Ordering::Relaxed);
    }
}
