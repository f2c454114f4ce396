//! Launches that are prepared together and run one after the other.

use super::Work;
use crate::memory::{Borrows, Span, disjoint};
use ringwood_base::Result;

/// Launches whose checks and proofs are done; any stream may run them.
pub(crate) struct Batch {
    work: Vec<Work>,
    /// What all of them touch, and whether one writes it; no two share a byte.
    spans: Vec<(Span, bool)>,
}

impl Batch {
    pub(crate) fn new(work: Vec<Work>) -> Self {
        let spans = disjoint(work.iter().flat_map(Work::spans));
        Self { work, spans }
    }

    /// Runs the launches in order. Their memory is borrowed once for all of them: nothing is locked
    /// between two launches.
    pub(crate) fn run(&self) -> Result<()> {
        let _borrowed = Borrows::of(self.spans.iter().map(|(span, written)| (span, *written)))?;
        for work in &self.work {
            // SAFETY: `spans` covers the spans of every launch, and is borrowed to the end.
            unsafe { work.run_borrowed()? }
        }
        Ok(())
    }
}
