//! The operations of a group: what each starts from, and what it must leave.

use super::{BufferMode, Params, Space};
use ringwood_base::{Error, ErrorKind, Result};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// What a collective leaves in the buffers of the ranks.
///
/// Operations on *vectors* cut one buffer in chunks. *Blocked* ones have a block for each rank, cut
/// in segments; blocks have the same numbers in input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// Every rank ends with the merge of all inputs. Equivalent to `MPI_Allreduce`, `ncclAllReduce`.
    AllReduce,
    /// The root ends with the merge of all inputs. Equivalent to `MPI_Reduce`, `ncclReduce`.
    Reduce,
    /// Every rank ends with the input of the root. Equivalent to `MPI_Bcast`, `ncclBroadcast`.
    Broadcast,
    /// Every rank ends with the blocks of all: block `s` is the input of rank `s`. Equivalent to
    /// `MPI_Allgather`, `ncclAllGather`.
    AllGather,
    /// The root ends with the blocks of all. Equivalent to `MPI_Gather`.
    Gather,
    /// Rank `d` ends with block `d` of the root's input. Equivalent to `MPI_Scatter`.
    Scatter,
    /// Rank `d` ends with the merge of block `d` of all inputs. Equivalent to
    /// `MPI_Reduce_scatter_block`, `ncclReduceScatter`.
    ReduceScatter,
    /// Block `s` of the output of rank `d` is block `d` of the input of rank `s`. Equivalent to
    /// `MPI_Alltoall`, `ncclAlltoAll`.
    AllToAll,
    /// Rank `permutation[r]` ends with the input of rank `r`. Equivalent to TensorFlow's `Permuter`.
    Permute,
    /// No rank ends before all have begun. Equivalent to `MPI_Barrier`.
    Barrier,
}

/// What distinguishes the operations; a row of their table.
struct Row {
    name: &'static str,
    reduces: bool,
    rooted: bool,
    blocked: bool,
}

const fn row(name: &'static str, reduces: bool, rooted: bool, blocked: bool) -> Row {
    Row { name, reduces, rooted, blocked }
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 10] = [
        Operation::AllReduce,
        Operation::Reduce,
        Operation::Broadcast,
        Operation::AllGather,
        Operation::Gather,
        Operation::Scatter,
        Operation::ReduceScatter,
        Operation::AllToAll,
        Operation::Permute,
        Operation::Barrier,
    ];

    const fn row(self) -> Row {
        match self {
            //                                              reduces rooted blocked
            Operation::AllReduce => row("all_reduce", true, false, false),
            Operation::Reduce => row("reduce", true, true, false),
            Operation::Broadcast => row("broadcast", false, true, false),
            Operation::AllGather => row("all_gather", false, false, true),
            Operation::Gather => row("gather", false, true, true),
            Operation::Scatter => row("scatter", false, true, true),
            Operation::ReduceScatter => row("reduce_scatter", true, false, true),
            Operation::AllToAll => row("all_to_all", false, false, true),
            Operation::Permute => row("permute", false, false, false),
            Operation::Barrier => row("barrier", false, false, false),
        }
    }

    /// The name as in the API: `all_reduce`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether inputs are merged, so that a call names an operator.
    pub const fn reduces(self) -> bool {
        self.row().reduces
    }

    /// Whether one rank is the source or the destination of everything.
    pub const fn rooted(self) -> bool {
        self.row().rooted
    }

    /// Whether buffers consist of a block for each rank.
    pub const fn blocked(self) -> bool {
        self.row().blocked
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name as in the API, or with hyphens: `all-reduce`.
impl FromStr for Operation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|o| o.name() == text.replace('-', "_"));
        found.ok_or_else(|| {
            let names = Self::ALL.map(|operation| operation.name().replace('_', "-"));
            Error::new(ErrorKind::InvalidArgument, format!("there is no operation `{text}`"))
                .help(format!("give one of {}", names.join(", ")))
        })
    }
}

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
