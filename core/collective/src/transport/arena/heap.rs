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
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_in_any_order_is_one_part_again() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut heap = Heap::new(64..1024);
            let parts = [1, 64, 100].map(|bytes| heap.take(bytes).unwrap());
            assert_eq!(parts, [64..128, 128..192, 192..320]);
            assert_eq!(heap.take(705), None);
            for part in order {
                heap.give(parts[part].clone());
            }
            assert_eq!((heap.free.len(), heap.take(960)), (1, Some(64..1024)));
        }
    }

    #[test]
    fn all_of_it_can_be_taken_and_no_more() {
        let mut heap = Heap::new(0..640);
        let parts: Vec<_> = std::iter::from_fn(|| heap.take(60)).collect();
        assert_eq!((parts.len(), heap.free.len()), (10, 0));
        assert_eq!(heap.take(0), None);
        assert_eq!(heap.take(usize::MAX), None);
        heap.give(parts[4].clone());
        assert_eq!(heap.take(1), Some(256..320));
        assert_eq!(Heap::new(5..5).take(1), None);
    }
}
