//! What a collective computes and what it asks for.

use super::Chunks;
use std::fmt;

/// What a collective leaves in the buffers of the ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// Every rank ends with the merge of all inputs. Equivalent to `MPI_Allreduce`.
    AllReduce,
    /// Every rank ends with the input of the root. Equivalent to `MPI_Bcast`.
    Broadcast,
}

impl Operation {
    /// The name as in the API: `all_reduce`.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::AllReduce => "all_reduce",
            Operation::Broadcast => "broadcast",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The group sizes that an algorithm works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RankConstraint {
    /// Every size.
    Any,
    /// Powers of two.
    PowerOfTwo,
}

impl RankConstraint {
    /// Whether a group of `ranks` is allowed.
    pub const fn allows(self, ranks: usize) -> bool {
        match self {
            RankConstraint::Any => ranks > 0,
            RankConstraint::PowerOfTwo => ranks.is_power_of_two(),
        }
    }
}

impl fmt::Display for RankConstraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RankConstraint::Any => "any number of ranks",
            RankConstraint::PowerOfTwo => "a power of two of ranks",
        })
    }
}

/// How input and output relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BufferMode {
    /// The output is the input, or a copy of it made before the first step.
    InPlace,
    /// The output starts without values; the input is read only.
    OutOfPlace,
}

/// What a collective computes and what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[must_use]
pub struct Descriptor {
    /// The algorithm's name: the one it is registered under.
    pub name: &'static str,
    /// What it leaves in the buffers.
    pub operation: Operation,
    /// The group sizes it works for.
    pub constraint: RankConstraint,
    /// The number of chunks.
    pub chunks: Chunks,
    /// How input and output relate.
    pub mode: BufferMode,
}

impl Descriptor {
    /// An algorithm for `operation`: any ranks, one chunk, in place.
    pub const fn new(name: &'static str, operation: Operation) -> Self {
        let (constraint, mode) = (RankConstraint::Any, BufferMode::InPlace);
        Self { name, operation, constraint, chunks: Chunks::Whole, mode }
    }

    /// An all-reduce algorithm.
    pub const fn all_reduce(name: &'static str) -> Self {
        Self::new(name, Operation::AllReduce)
    }

    /// A broadcast algorithm.
    pub const fn broadcast(name: &'static str) -> Self {
        Self::new(name, Operation::Broadcast)
    }

    /// It works for every group size; the default.
    pub const fn any_ranks(self) -> Self {
        Self { constraint: RankConstraint::Any, ..self }
    }

    /// It works for powers of two.
    pub const fn power_of_two_ranks(self) -> Self {
        Self { constraint: RankConstraint::PowerOfTwo, ..self }
    }

    /// How it cuts the buffers; one chunk by default.
    pub const fn chunks(self, chunks: Chunks) -> Self {
        Self { chunks, ..self }
    }

    /// It reads the input and writes a separate output; the default is in place.
    pub const fn out_of_place(self) -> Self {
        Self { mode: BufferMode::OutOfPlace, ..self }
    }
}
