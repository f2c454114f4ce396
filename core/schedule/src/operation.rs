//! The operations of a group: what each starts from, and what it must leave.

use ringwood_base::{Error, Result, named};
use std::fmt;
use std::str::FromStr;

named! {
    /// What a collective leaves in the buffers of the ranks.
    ///
    /// Operations on *vectors* cut one buffer in chunks. *Blocked* ones have a block for each rank, cut
    /// in segments; blocks have the same numbers in input and output.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[non_exhaustive]
    pub enum Operation {
        /// Every rank ends with the merge of all inputs. Equivalent to `MPI_Allreduce`, `ncclAllReduce`.
        AllReduce "all_reduce",
        /// The root ends with the merge of all inputs. Equivalent to `MPI_Reduce`, `ncclReduce`.
        Reduce "reduce",
        /// Every rank ends with the input of the root. Equivalent to `MPI_Bcast`, `ncclBroadcast`.
        Broadcast "broadcast",
        /// Every rank ends with the blocks of all: block `s` is the input of rank `s`. Equivalent to
        /// `MPI_Allgather`, `ncclAllGather`.
        AllGather "all_gather",
        /// The root ends with the blocks of all. Equivalent to `MPI_Gather`.
        Gather "gather",
        /// Rank `d` ends with block `d` of the root's input. Equivalent to `MPI_Scatter`.
        Scatter "scatter",
        /// Rank `d` ends with the merge of block `d` of all inputs. Equivalent to
        /// `MPI_Reduce_scatter_block`, `ncclReduceScatter`.
        ReduceScatter "reduce_scatter",
        /// Block `s` of the output of rank `d` is block `d` of the input of rank `s`. Equivalent to
        /// `MPI_Alltoall`, `ncclAlltoAll`.
        AllToAll "all_to_all",
        /// Rank `permutation[r]` ends with the input of rank `r`. Equivalent to TensorFlow's `Permuter`.
        Permute "permute",
        /// No rank ends before all have begun. Equivalent to `MPI_Barrier`.
        Barrier "barrier",
    }
    /// The name as in the API: `all_reduce`.
    fn name;
}

/// What distinguishes the operations: each is asked all of it.
struct Traits {
    reduces: bool,
    rooted: bool,
    blocked: bool,
}

impl Operation {
    const fn traits(self) -> Traits {
        let (reduces, rooted, blocked) = match self {
            Operation::AllReduce => (true, false, false),
            Operation::Reduce => (true, true, false),
            Operation::Broadcast => (false, true, false),
            Operation::AllGather | Operation::AllToAll => (false, false, true),
            Operation::Gather | Operation::Scatter => (false, true, true),
            Operation::ReduceScatter => (true, false, true),
            Operation::Permute | Operation::Barrier => (false, false, false),
        };
        Traits { reduces, rooted, blocked }
    }

    /// Whether inputs are merged, so that a call names an operator.
    pub const fn reduces(self) -> bool {
        self.traits().reduces
    }

    /// Whether one rank is the source or the destination of everything.
    pub const fn rooted(self) -> bool {
        self.traits().rooted
    }

    /// Whether buffers consist of a block for each rank.
    pub const fn blocked(self) -> bool {
        self.traits().blocked
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name as in the API: [`Operation::parse`], with an error that lists the names.
impl FromStr for Operation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::invalid(format!("there is no operation `{text}`"))
                .help(format!("give one of {names}"))
        })
    }
}

#[cfg(test)]
mod tests;
