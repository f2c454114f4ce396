//! Merges of neighbouring ranks around the ring.

use crate::Params;
use crate::verify::hash::mix;
use std::ops::Range;

/// One chunk of the inputs of `count` ranks from `first` on around the ring, merged in some order.
#[derive(Clone, Copy, Debug)]
pub(in crate::verify) struct Value {
    /// The chunk of the inputs.
    pub(in crate::verify) chunk: u32,
    pub(in crate::verify) first: u32,
    pub(in crate::verify) count: u32,
    /// A hash of the merge tree up to the swap of operands, with ranks counted from `base`.
    pub(in crate::verify) order: u64,
    pub(in crate::verify) base: u32,
    /// Whether no operands were swapped, in a merge from rank 0 on.
    pub(in crate::verify) in_order: bool,
}

/// The order of a contribution by itself.
const LEAF: u64 = 0xD6E8_FEB8_6659_FD93;

impl Value {
    pub(in crate::verify) fn leaf(rank: usize, chunk: u32) -> Self {
        let rank = rank as u32;
        Self { chunk, first: rank, count: 1, order: LEAF, base: rank, in_order: true }
    }

    /// The value moved on by `by` ranks and blocks.
    pub(in crate::verify) fn moved(&self, params: &Params, by: usize) -> Self {
        let moved = |rank: u32| ((rank as usize + by) % params.ranks()) as u32;
        let chunk = super::moved(params, self.chunk, by);
        Self { chunk, first: moved(self.first), base: moved(self.base), ..*self }
    }

    /// The merge of two values of one chunk, the other one as the `left` operand or the right one;
    /// `None` if their ranks are not neighbours.
    pub(in crate::verify) fn merge(&self, other: &Self, left: bool, n: usize) -> Option<Self> {
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
        let (l, r) = if left { (other, self) } else { (self, other) };
        let in_order = l.in_order && r.in_order && l.first + l.count == r.first;
        Some(Self { chunk: self.chunk, first, count, order, base: a.base, in_order })
    }

    pub(in crate::verify) fn is_complete(&self, n: usize) -> bool {
        self.count as usize == n
    }

    /// Whether these are the contributions of exactly these ranks: one of them, or all.
    pub(in crate::verify) fn holds(&self, ranks: &Range<usize>) -> bool {
        let count = self.count as usize == ranks.len();
        count && (ranks.start == self.first as usize || ranks.start == 0 && ranks.len() > 1)
    }

    /// Whether the merge tree is that of `other` with every rank moved on by `by`.
    pub(in crate::verify) fn is_moved(&self, other: &Self, by: usize, n: usize) -> bool {
        self.order == other.order && self.base as usize == (other.base as usize + by) % n
    }

    /// The fold of all ranks from rank 0 on.
    pub(in crate::verify) fn fold(n: usize) -> Self {
        (1..n).fold(Self::leaf(0, 0), |folded, rank| {
            folded.merge(&Self::leaf(rank, 0), false, n).expect("ranks in order are neighbours")
        })
    }
}
