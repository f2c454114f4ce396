//! What the abstract machine computes with.

use super::Subject;
use super::machine::At;
use super::order;
use crate::collective::{Contribution, Params, Step};

/// The values of an abstract run.
pub(super) trait Domain {
    type Value: Clone;

    /// What `rank` contributes to `chunk`.
    fn leaf(&mut self, rank: usize, chunk: usize) -> Self::Value;

    fn merge(&mut self, own: &Self::Value, other: &Self::Value) -> Self::Value;

    /// A step wrote `value` to `chunk` of its rank.
    fn wrote(&mut self, _at: At, _step: &Step, _chunk: usize, _value: &Self::Value) {}
}

/// No values: only the order of steps matters.
pub(super) struct Unit;

impl Domain for Unit {
    type Value = ();

    fn leaf(&mut self, _rank: usize, _chunk: usize) {}

    fn merge(&mut self, (): &(), (): &()) {}
}

/// Random linear forms over two independent draws from F_p, and the shape of the merge tree.
pub(super) struct Forms {
    params: Params,
    /// For each chunk, the sum over all ranks; empty if nothing is merged.
    merged: Vec<[u64; 2]>,
    /// For each rank, the (step, chunk) pairs at which a merge completed a chunk.
    pub(super) completing: Vec<Vec<(u32, u32)>>,
    /// After a run: the merge trees of all outputs, rank by rank.
    pub(super) orders: Vec<Option<u64>>,
}

/// A value of [`Forms`].
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub(super) sum: [u64; 2],
    pub(super) order: u64,
}

/// 2^61 - 1.
const P: u64 = (1 << 61) - 1;

impl Forms {
    pub(super) fn new(subject: &Subject<'_>) -> Self {
        let params = subject.params.clone();
        let sum = |chunk| (0..params.ranks()).map(|rank| form(rank, chunk)).fold([0, 0], add);
        let reduces = params.operation().reduces();
        let merged = (0..if reduces { params.chunks() } else { 0 }).map(sum).collect();
        let completing = vec![Vec::new(); params.ranks()];
        Self { params, merged, completing, orders: Vec::new() }
    }

    /// Whether `value` is what `chunk` of `rank` must hold, if that is specified.
    pub(super) fn right(&self, rank: usize, chunk: usize, value: Option<&Form>) -> bool {
        let Some(Contribution { ranks, chunk }) = self.params.result(rank, chunk) else {
            return true;
        };
        let expected = match self.merged.get(chunk) {
            Some(merged) => *merged,
            None => form(ranks.start, chunk),
        };
        value.is_some_and(|value| value.sum == expected)
    }
}

impl Domain for Forms {
    type Value = Form;

    fn leaf(&mut self, rank: usize, chunk: usize) -> Form {
        Form { sum: form(rank, chunk), order: order::leaf(rank) }
    }

    fn merge(&mut self, own: &Form, other: &Form) -> Form {
        Form { sum: add(own.sum, other.sum), order: order::merge(own.order, other.order) }
    }

    fn wrote(&mut self, at: At, step: &Step, chunk: usize, value: &Form) {
        let chunk = chunk % self.params.chunks();
        if step.merges() && self.merged.get(chunk) == Some(&value.sum) {
            self.completing[at.rank].push((at.step as u32, chunk as u32));
        }
    }
}

/// How often each rank is counted in what came from one chunk; other chunks are not followed.
pub(super) struct Counts {
    ranks: usize,
    chunk: usize,
    /// The first step that counted a rank twice.
    pub(super) first_twice: Option<(At, Step)>,
    /// The last step that wrote the chunk on each rank.
    pub(super) last_write: Vec<Option<(At, Step)>>,
}

impl Counts {
    pub(super) fn new(ranks: usize, chunk: usize) -> Self {
        Self { ranks, chunk, first_twice: None, last_write: vec![None; ranks] }
    }
}

impl Domain for Counts {
    type Value = Vec<u32>;

    fn leaf(&mut self, rank: usize, chunk: usize) -> Vec<u32> {
        if chunk != self.chunk {
            return Vec::new();
        }
        let mut counts = vec![0; self.ranks];
        counts[rank] = 1;
        counts
    }

    fn merge(&mut self, own: &Vec<u32>, other: &Vec<u32>) -> Vec<u32> {
        own.iter().zip(other).map(|(a, b)| a.saturating_add(*b)).collect()
    }

    fn wrote(&mut self, at: At, step: &Step, chunk: usize, value: &Vec<u32>) {
        if !value.is_empty() || chunk == self.chunk {
            self.last_write[at.rank] = Some((at, *step));
            if self.first_twice.is_none() && value.iter().any(|&count| count > 1) {
                self.first_twice = Some((at, *step));
            }
        }
    }
}

fn form(rank: usize, chunk: usize) -> [u64; 2] {
    let seed = (rank as u64) << 32 | chunk as u64;
    [order::mix(seed ^ 0x5851_F42D_4C95_7F2D) % P, order::mix(seed ^ 0x1405_7B7E_F767_814F) % P]
}

fn add(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    let sum = |i: usize| {
        let sum = a[i] + b[i];
        if sum >= P { sum - P } else { sum }
    };
    [sum(0), sum(1)]
}
