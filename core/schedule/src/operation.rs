//! The operations of a group: what each starts from, and what it must leave.

use ringwood_base::{Error, Result};
use std::fmt;
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
            Error::invalid(format!("there is no operation `{text}`"))
                .help(format!("give one of {}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests;
