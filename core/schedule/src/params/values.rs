//! Which chunks of a rank hold values, before a call and after it.

use super::Params;
use crate::{BufferMode, Operation, Space};
use std::ops::Range;

/// What an output chunk must hold: chunk `chunk` of the inputs of `ranks`, merged if there are many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The ranks that contribute, each once.
    pub ranks: Range<usize>,
    /// The chunk of their inputs.
    pub chunk: usize,
}

impl Params {
    /// The chunks of the input of `rank` that hold values when a call begins.
    pub fn defined(&self, rank: usize) -> Range<usize> {
        let (all, none) = (0..self.chunks(), 0..0);
        let root = rank == self.root().index();
        match self.operation() {
            Operation::AllReduce
            | Operation::Reduce
            | Operation::ReduceScatter
            | Operation::AllToAll
            | Operation::Permute => all,
            Operation::Broadcast | Operation::Scatter if root => all,
            Operation::AllGather | Operation::Gather => self.block(rank),
            Operation::Broadcast | Operation::Scatter | Operation::Barrier => none,
        }
    }

    /// What chunk `chunk` of the output of `rank` must hold when a call ends; `None` if that is not
    /// specified.
    pub fn result(&self, rank: usize, chunk: usize) -> Option<Contribution> {
        let (n, root) = (self.ranks(), self.root().index());
        let of = |rank: usize, chunk| Some(Contribution { ranks: rank..rank + 1, chunk });
        let merged = Some(Contribution { ranks: 0..n, chunk });
        match self.operation() {
            Operation::AllReduce => merged,
            Operation::Reduce => merged.filter(|_| rank == root),
            Operation::ReduceScatter => merged.filter(|_| self.block(rank).contains(&chunk)),
            Operation::Broadcast => of(root, chunk),
            Operation::AllGather => of(chunk / self.segments(), chunk),
            Operation::Gather => of(chunk / self.segments(), chunk).filter(|_| rank == root),
            Operation::Scatter => of(root, chunk).filter(|_| self.block(rank).contains(&chunk)),
            Operation::AllToAll => {
                let segment = chunk % self.segments();
                of(chunk / self.segments(), self.block(rank).start + segment)
            }
            Operation::Permute => of(self.permuted_from(rank), chunk),
            Operation::Barrier => None,
        }
    }

    /// The chunks of `space` that `rank` has, but for scratch chunks, of which there are as many as
    /// a schedule names.
    ///
    /// In place that is the whole buffer. Out of place the input holds what is defined, and the
    /// output what the operation specifies.
    pub fn held(&self, rank: usize, space: Space) -> Range<usize> {
        let (all, none) = (0..self.chunks(), 0..0);
        if self.mode() == BufferMode::InPlace {
            return all;
        }
        if space == Space::Input {
            return self.defined(rank);
        }
        match self.operation() {
            Operation::Reduce | Operation::Gather if rank != self.root().index() => none,
            Operation::Scatter | Operation::ReduceScatter => self.block(rank),
            Operation::Barrier => none,
            _ => all,
        }
    }

    /// The chunk that is the first of the input or output of `rank`, where a file counts from 0.
    pub fn begin(&self, rank: usize, space: Space) -> u32 {
        let begin = match (self.mode(), self.operation(), space) {
            (_, _, Space::Scratch) => 0,
            (BufferMode::OutOfPlace, _, _) => self.held(rank, space).start,
            (_, Operation::AllGather, Space::Input) => self.block(rank).start,
            (_, Operation::ReduceScatter, Space::Output) => self.block(rank).start,
            _ => 0,
        };
        begin as u32
    }

    /// The chunks of block `index`; of a vector, its only block.
    fn block(&self, index: usize) -> Range<usize> {
        if !self.operation().blocked() {
            return 0..self.chunks();
        }
        index * self.segments()..(index + 1) * self.segments()
    }
}

#[cfg(test)]
mod tests;
