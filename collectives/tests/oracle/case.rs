//! One call of the oracle: what every rank brings, and what it must get.

use crate::data::{Data, From};
use ringwood_base::DType;
use ringwood_schedule::{BufferMode, Operation, ReduceOp};
use std::borrow::Cow;
use std::ops::Range;

/// A call, the same on every rank.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) algorithm: Cow<'static, str>,
    pub(crate) n: usize,
    pub(crate) dtype: DType,
    pub(crate) op: ReduceOp,
    /// The elements of the vector, or of each block.
    pub(crate) count: usize,
    /// The elements of each block where they differ; for all-to-all, of each pair.
    pub(crate) counts: Option<Vec<usize>>,
    pub(crate) root: usize,
    pub(crate) permutation: Vec<usize>,
    pub(crate) mode: BufferMode,
    /// Whether the algorithm moves blocks of these sizes, or refuses the call.
    pub(crate) allowed: bool,
}

/// What a rank brings and must get.
pub(crate) struct Part {
    pub(crate) input: Vec<u8>,
    /// Its length in bytes; in place, as long as `input`.
    pub(crate) output: usize,
    /// The bytes of the output that are specified, from some offset on.
    pub(crate) want: Vec<u8>,
    pub(crate) at: usize,
}

impl Case {
    /// What `rank` brings and must get.
    pub(crate) fn part(&self, rank: usize, data: &Data) -> Part {
        let (given, got) = self.runs(rank, data);
        match self.mode {
            BufferMode::OutOfPlace => {
                Part { input: given.0, output: got.0.len(), want: got.0, at: 0 }
            }
            BufferMode::InPlace => {
                let size = self.dtype.size();
                let length = match self.operation {
                    Operation::AllToAll => given.0.len(),
                    _ => self.in_place_length() * size,
                };
                let mut input = vec![0xA5; length];
                let at = given.1 * size;
                input[at..at + given.0.len()].copy_from_slice(&given.0);
                Part { output: input.len(), input, want: got.0, at: got.1 * size }
            }
        }
    }

    /// The elements of a buffer that is both input and output.
    fn in_place_length(&self) -> usize {
        if self.operation == Operation::Barrier {
            0
        } else if self.operation.blocked() {
            self.block(0, self.n).end
        } else {
            self.count
        }
    }

    /// What `rank` gives and gets, each with its first element in a buffer that is both.
    fn runs(&self, rank: usize, data: &Data) -> ((Vec<u8>, usize), (Vec<u8>, usize)) {
        let (root, all) = (rank == self.root, self.in_place_length());
        let own = |count| (data.run(From::Rank(rank), 0, count), 0);
        let merged =
            |range: Range<usize>| (data.run(From::Merged, range.start, range.len()), range.start);
        let none = (Vec::new(), 0);
        let block = self.block(rank, 1);
        let blocks = || (self.concat(|s| data.run(From::Rank(s), 0, self.block(s, 1).len())), 0);
        let placed = (own(block.len()).0, block.start);
        match self.operation {
            Operation::AllReduce => (own(all), merged(0..all)),
            Operation::Reduce => (own(all), if root { merged(0..all) } else { none }),
            Operation::Broadcast => {
                let sent = (data.run(From::Rank(self.root), 0, all), 0);
                (if root { sent.clone() } else { none }, sent)
            }
            Operation::AllGather => (placed, blocks()),
            Operation::Gather => (placed, if root { blocks() } else { none }),
            Operation::Scatter => {
                let sent = data.run(From::Rank(self.root), block.start, block.len());
                (if root { own(all) } else { none }, (sent, block.start))
            }
            Operation::ReduceScatter => (own(all), merged(block)),
            Operation::AllToAll => {
                let sent = (0..self.n).map(|d| self.sent(rank, d).len()).sum();
                let from = |s| {
                    let range = self.sent(s, rank);
                    data.run(From::Rank(s), range.start, range.len())
                };
                (own(sent), (self.concat(from), 0))
            }
            Operation::Permute => {
                let from = self.permutation.iter().position(|&to| to == rank).unwrap();
                (own(all), (data.run(From::Rank(from), 0, all), 0))
            }
            Operation::Barrier => (none.clone(), none),
            _ => unreachable!("an operation without an oracle: {}", self.operation),
        }
    }

    fn concat(&self, of_rank: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
        (0..self.n).flat_map(of_rank).collect()
    }

    /// The elements of `number` blocks from block `index` on.
    fn block(&self, index: usize, number: usize) -> Range<usize> {
        let count = |b: usize| self.counts.as_ref().map_or(self.count, |counts| counts[b]);
        let start = (0..index).map(count).sum();
        start..start + (index..index + number).map(count).sum::<usize>()
    }

    /// Where the elements for rank `to` lie in the input of rank `from` of an all-to-all.
    fn sent(&self, from: usize, to: usize) -> Range<usize> {
        let count =
            |d: usize| self.counts.as_ref().map_or(self.count, |counts| counts[from * self.n + d]);
        let start = (0..to).map(count).sum();
        start..start + count(to)
    }
}
