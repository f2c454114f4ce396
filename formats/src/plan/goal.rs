//! What the outputs of a plan must hold.

use super::Buffers;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::Operation;

/// What the ranks' outputs must hold at the end, in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The result of an operation.
    Operation(Operation),
    /// The file does not say: only races and progress are checked.
    Unstated,
}

/// The contributions to one output cell: cell `cell` of each rank in `ranks`.
pub(crate) struct Contributions {
    pub(crate) ranks: std::ops::Range<u32>,
    pub(crate) cell: u32,
}

impl Goal {
    /// The goal that a file's name for a collective stands for.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "allreduce" => Goal::Operation(Operation::AllReduce),
            "allgather" => Goal::Operation(Operation::AllGather),
            "reducescatter" => Goal::Operation(Operation::ReduceScatter),
            "alltoall" => Goal::Operation(Operation::AllToAll),
            "custom" | "test" | "sendrecv" => Goal::Unstated,
            _ => return None,
        })
    }

    /// The name of the goal in a file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Goal::Operation(Operation::AllReduce) => "allreduce",
            Goal::Operation(Operation::AllGather) => "allgather",
            Goal::Operation(Operation::ReduceScatter) => "reducescatter",
            Goal::Operation(Operation::AllToAll) => "alltoall",
            _ => "custom",
        }
    }

    /// The input and output cells of each rank, if the larger of the two has `whole` cells.
    pub(crate) fn sizes(self, ranks: u32, whole: u32) -> Result<Buffers> {
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
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        Ok(Buffers { input, output, scratch: 0 })
    }

    /// What output cell `cell` of `rank` must hold; `None` if that is not stated.
    pub(crate) fn contributions(
        self,
        rank: u32,
        cell: u32,
        ranks: u32,
        buffers: &Buffers,
    ) -> Option<Contributions> {
        let Goal::Operation(operation) = self else { return None };
        Some(match operation {
            Operation::AllGather => {
                let from = cell / buffers.input;
                Contributions { ranks: from..from + 1, cell: cell % buffers.input }
            }
            Operation::ReduceScatter => {
                Contributions { ranks: 0..ranks, cell: rank * buffers.output + cell }
            }
            Operation::AllToAll => {
                let part = buffers.output / ranks;
                let from = cell / part;
                Contributions { ranks: from..from + 1, cell: rank * part + cell % part }
            }
            _ => Contributions { ranks: 0..ranks, cell },
        })
    }
}
