//! What the outputs of a plan must hold.

use super::Buffers;
use crate::Operation;
use ringwood_base::{Error, Result};

/// What the ranks' outputs must hold at the end, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The result of an operation.
    Operation(Operation),
    /// The file does not say: only races and progress are checked.
    Unstated,
}

const NAMES: [(&str, Operation); 4] = [
    ("allreduce", Operation::AllReduce),
    ("allgather", Operation::AllGather),
    ("reducescatter", Operation::ReduceScatter),
    ("alltoall", Operation::AllToAll),
];

impl Goal {
    /// The goal that a file's name for a collective stands for.
    pub fn named(name: &str) -> Option<Self> {
        let operation = NAMES.iter().find(|named| named.0 == name);
        let unstated = ["custom", "test", "sendrecv"].contains(&name).then_some(Goal::Unstated);
        operation.map(|named| Goal::Operation(named.1)).or(unstated)
    }

    /// The name of an operation in a file; `None` if it has none.
    pub fn name_of(operation: Operation) -> Option<&'static str> {
        NAMES.iter().find(|named| named.1 == operation).map(|named| named.0)
    }

    /// The input and output cells of each rank, if the larger of the two has `whole` cells.
    ///
    /// # Errors
    /// `ranks` does not divide the cells of an operation with a block for each rank.
    pub fn sizes(self, ranks: u32, whole: u32) -> Result<Buffers> {
        let Goal::Operation(operation) = self else {
            return Ok(Buffers { input: whole, output: whole, scratch: 0 });
        };
        let part = whole / ranks;
        let (input, output) = match operation {
            Operation::AllGather => (part, whole),
            Operation::ReduceScatter => (whole, part),
            _ => (whole, whole),
        };
        if operation != Operation::AllReduce && part * ranks != whole {
            let message =
                format!("{whole} chunks are not the same number for each of {ranks} ranks");
            return Err(Error::invalid(message));
        }
        Ok(Buffers { input, output, scratch: 0 })
    }
}
