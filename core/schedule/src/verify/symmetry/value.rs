//! Merges of neighbouring ranks around the ring.

use crate::Params;
use crate::verify::hash::mix;
use std::ops::Range;

/// One chunk of the inputs of `count` ranks from `first` on around the ring, merged in some order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    /// The chunk of the inputs.
    pub(super) chunk: u32,
    first: u32,
    count: u32,
    /// A hash of the merge tree up to the swap of operands, with ranks counted from `base`.
    order: u64,
    base: u32,
}

/// The order of a contribution by itself.
const LEAF: u64 = 0xD6E8_FEB8_6659_FD93;

impl Value {
    pub(super) fn leaf(rank: u32, chunk: u32) -> Self {
        Self { chunk, first: rank, count: 1, order: LEAF, base: rank }
    }

    /// The value moved on by `by` ranks and blocks.
    pub(super) fn move_on(&mut self, params: &Params, by: usize) {
        let moved = |rank: u32| ((rank as usize + by) % params.ranks()) as u32;
        (self.first, self.base) = (moved(self.first), moved(self.base));
        self.chunk = super::moved(params, self.chunk, by);
    }

    /// The merge of two values of one chunk; `None` if their ranks are not neighbours.
    pub(super) fn merge(&self, other: &Self, n: usize) -> Option<Self> {
        let n = n as u32;
        let after = |a: &Self, b: &Self| (a.first + a.count) % n == b.first;
        let count = self.count + other.count;
        if self.chunk != other.chunk || count > n {
            return None;
        }
        let first = match (after(self, other), after(other, self)) {
            (true, _) => self.first,
            (false, true) => other.first,
            (false, false) => return None,
        };
        // In an order that moving on does not change.
        let apart = |a: &Self, b: &Self| (b.base + n - a.base) % n;
        let key = |a: &Self, b: &Self| (a.order, b.order, apart(a, b));
        let (a, b) =
            if key(self, other) <= key(other, self) { (self, other) } else { (other, self) };
        let order = mix(a.order.rotate_left(17) ^ mix(b.order ^ mix(u64::from(apart(a, b)))));
        Some(Self { chunk: self.chunk, first, count, order, base: a.base })
    }

    pub(super) fn is_complete(&self, n: usize) -> bool {
        self.count as usize == n
    }

    /// Whether these are the contributions of exactly these ranks: one of them, or all.
    pub(super) fn holds(&self, ranks: &Range<usize>) -> bool {
        let count = self.count as usize == ranks.len();
        count && (ranks.start == self.first as usize || ranks.start == 0 && ranks.len() > 1)
    }

    /// Whether the merge tree is that of `other` with every rank moved on by `by`.
    pub(super) fn is_moved(&self, other: &Self, by: usize, n: usize) -> bool {
        self.order == other.order && self.base as usize == (other.base as usize + by) % n
    }

    /// The fold of all ranks from rank 0 on.
    pub(super) fn fold(n: usize) -> Self {
        (1..n as u32).fold(Self::leaf(0, 0), |folded, rank| {
            folded.merge(&Self::leaf(rank, 0), n).expect("ranks in order are neighbours")
        })
    }
}
