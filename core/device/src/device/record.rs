//! What the memory of a buffer remembers: its last uses, its writes, and who took it by donation.

use super::hazard::Hazard;
use ringwood_base::{Error, Result};
use std::collections::VecDeque;
use std::sync::Arc;

/// See the module. All handles and parts of a buffer share one.
#[derive(Default)]
pub(crate) struct Record {
    pub(crate) hazard: Hazard,
    /// How often the memory was written, or may have been.
    writes: u64,
    /// Why it holds nothing yet.
    unwritten: Option<Box<str>>,
    /// How many routines took the memory by donation. Handles made after the n-th one are of
    /// generation n; only the last generation is valid.
    generation: usize,
    /// The last of those routines, oldest first.
    takers: VecDeque<Arc<str>>,
}

/// How many routines are remembered by name.
const REMEMBERED: usize = 16;

impl Record {
    /// How often the memory was written.
    pub(crate) fn writes(&self) -> u64 {
        self.writes
    }

    /// Counts one write, which may be `complete`.
    pub(crate) fn written(&mut self, complete: bool) {
        self.writes += 1;
        if complete {
            self.unwritten = None;
        }
    }

    /// Refuses to let anyone read the memory before it is written, and says `why` it holds nothing.
    pub(crate) fn await_write(&mut self, why: String) {
        self.unwritten = Some(why.into());
    }

    /// Refuses to read memory that holds nothing yet.
    #[inline]
    pub(crate) fn check_written(&self) -> Result<()> {
        match &self.unwritten {
            None => Ok(()),
            Some(why) => Err(Error::invalid(why.to_string()).help("submit that routine first")),
        }
    }

    /// How many routines took the memory.
    #[inline]
    pub(crate) fn generation(&self) -> usize {
        self.generation
    }

    /// Ends the handles of this generation: `routine` has taken the memory.
    pub(crate) fn take(&mut self, routine: &Arc<str>) {
        self.generation += 1;
        if self.takers.len() == REMEMBERED {
            self.takers.pop_front();
        }
        self.takers.push_back(routine.clone());
    }

    /// The routine that took the memory from a handle of this generation; the oldest one that is
    /// remembered, if that was long ago.
    pub(crate) fn taker(&self, generation: usize) -> Option<&Arc<str>> {
        let forgotten = self.generation - self.takers.len();
        self.takers.get(generation.saturating_sub(forgotten))
    }
}
