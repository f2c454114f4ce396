//! Which parts of a file are taken.

use super::super::region::ALIGNMENT;
use std::ops::Range;

/// The free parts of a range of bytes: first fit. It is the owner's own note, outside of the shared
/// memory, where nobody else can change it.
pub(super) struct Heap {
    /// In order, apart from each other, none empty.
    free: Vec<Range<usize>>,
}

impl Heap {
    /// All of `range` is free; it begins at a line of cache.
    pub(super) fn new(range: Range<usize>) -> Self {
        Self { free: Vec::from_iter((!range.is_empty()).then_some(range)) }
    }

    /// Takes `bytes` bytes, rounded up to lines of cache, which begin at one.
    pub(super) fn take(&mut self, bytes: usize) -> Option<Range<usize>> {
        let bytes = bytes.checked_next_multiple_of(ALIGNMENT)?.max(ALIGNMENT);
        let fits = self.free.iter().position(|free| free.len() >= bytes)?;
        let free = &mut self.free[fits];
        let taken = free.start..free.start + bytes;
        free.start = taken.end;
        if free.start == free.end {
            self.free.remove(fits);
        }
        Some(taken)
    }

    /// Gives back what was taken.
    pub(super) fn give(&mut self, taken: Range<usize>) {
        let at = self.free.partition_point(|free| free.start < taken.start);
        self.free.insert(at, taken);
        self.join(at);
        if at > 0 {
            self.join(at - 1);
        }
    }

    /// Joins the part at `at` with the next one, if they touch.
    fn join(&mut self, at: usize) {
        if self.free.get(at + 1).is_some_and(|next| next.start == self.free[at].end) {
            self.free[at].end = self.free.remove(at + 1).end;
        }
    }
}

#[cfg(test)]
mod tests;
