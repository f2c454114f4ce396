//! Random linear forms: whether a chunk holds the right contributions, and in which order.

use super::{At, Domain};
use crate::Space;
use crate::verify::hash;
use crate::{Contribution, Params};
use std::num::NonZero;

/// Random linear forms, the shape of the merge tree, and the ranks if they are in order.
///
/// Every contribution is a random number of 128 bits and a merge is a sum, so a chunk is right if it
/// holds the sum of the right numbers, as many as there should be. A wrong one passes with a probability
/// of 2^-128, doubled for each time that all its wrong counts can be halved: they are at most their number.
pub(in crate::verify) struct Forms {
    params: Params,
    /// For each chunk, the sum over all ranks; empty if nothing is merged.
    merged: Vec<u128>,
    /// The same sums, sorted, to be found whatever the chunk.
    complete: Vec<u128>,
    /// For each rank, the (step, chunk) pairs at which a merge completed a chunk.
    pub(in crate::verify) completing: Vec<Vec<(u32, u32)>>,
}

/// A value of [`Forms`].
#[derive(Clone, Copy, Debug)]
pub(in crate::verify) struct Form {
    sum: u128,
    /// A hash of the merge tree up to the swap of operands.
    pub(in crate::verify) order: u64,
    /// The ranks `first..end`, if the merge is of all of them in this order; else, if `first` is
    /// [`SCATTERED`], `end` is the number of contributions, the largest number for more of them.
    first: u32,
    end: NonZero<u32>,
}

/// In [`Form::first`]: not ranks in order. No rank has this number.
const SCATTERED: u32 = u32::MAX;

impl Form {
    /// How many contributions are merged.
    fn count(&self) -> NonZero<u32> {
        match self.first {
            SCATTERED => self.end,
            first => NonZero::new(self.end.get() - first).expect("ranks in order are some"),
        }
    }

    /// The ranks of a merge.
    fn ranks(left: &Self, right: &Self) -> (u32, NonZero<u32>) {
        if left.first != SCATTERED && left.end.get() == right.first {
            return (left.first, right.end);
        }
        (SCATTERED, left.count().saturating_add(right.count().get()))
    }

    /// Whether the merge is of the ranks `0..n` in this order.
    pub(in crate::verify) fn in_order(&self, n: usize) -> bool {
        self.first == 0 && self.end.get() as usize == n
    }
}

impl Forms {
    pub(in crate::verify) fn new(params: &Params) -> Self {
        let chunks = if params.operation().reduces() { params.chunks() } else { 0 };
        let of_all = |chunk| {
            let forms = (0..params.ranks()).map(|rank| form(rank, chunk));
            forms.fold(0, u128::wrapping_add)
        };
        let merged: Vec<u128> = (0..chunks).map(of_all).collect();
        let completing = vec![Vec::new(); params.ranks()];
        let mut complete = merged.clone();
        complete.sort_unstable();
        Self { params: params.clone(), merged, complete, completing }
    }

    /// Whether `value` is what `chunk` of `rank` must hold, if that is specified.
    pub(in crate::verify) fn right(&self, rank: usize, chunk: usize, value: Option<&Form>) -> bool {
        let Some(Contribution { ranks, chunk }) = self.params.result(rank, chunk) else {
            return true;
        };
        let expected = match self.merged.get(chunk) {
            Some(merged) => *merged,
            None => form(ranks.start, chunk),
        };
        value.is_some_and(|v| v.sum == expected && v.count().get() as usize == ranks.len())
    }
}

impl Domain for Forms {
    type Value = Form;

    fn leaf(&mut self, rank: usize, chunk: usize) -> Form {
        let (first, end) = (rank as u32, NonZero::<u32>::MIN.saturating_add(rank as u32));
        Form { sum: form(rank, chunk), order: hash::leaf(rank), first, end }
    }

    #[inline]
    fn merge(&mut self, left: &Form, right: &Form) -> Form {
        let (first, end) = Form::ranks(left, right);
        let order = hash::merge(left.order, right.order);
        Form { sum: left.sum.wrapping_add(right.sum), order, first, end }
    }

    #[inline]
    fn wrote(
        &mut self,
        at: At,
        merged: bool,
        (_, _, chunk): (usize, Space, usize),
        value: &mut Form,
    ) {
        let all = value.count().get() as usize == self.params.ranks();
        if merged && all && self.complete.binary_search(&value.sum).is_ok() {
            // Of a plan nobody asks which of its lanes completes a chunk.
            if let Some(completing) = self.completing.get_mut(at.lane) {
                completing.push((at.step as u32, chunk as u32));
            }
        }
    }
}

/// The random number of a contribution.
#[inline]
fn form(rank: usize, chunk: usize) -> u128 {
    let seed = (rank as u64) << 32 | chunk as u64;
    let half = |salt: u64| u128::from(hash::mix(seed ^ salt));
    half(0x5851_F42D_4C95_7F2D) << 64 | half(0x1405_7B7E_F767_814F)
}
