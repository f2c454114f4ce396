//! What the two ends of a message say, whatever carries it.

use ringwood_base::{DType, Error};
use std::fmt;

/// The elements of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Elements {
    pub(super) dtype: DType,
    pub(super) bytes: usize,
}

impl Elements {
    /// Elements as another process names them; `None` if there is no such type.
    pub(super) fn named(dtype: u64, bytes: u64) -> Option<Self> {
        let dtype = *DType::ALL.get(usize::try_from(dtype).ok()?)?;
        Some(Self { dtype, bytes: usize::try_from(bytes).ok()? })
    }
}

/// `4 elements of f32`.
impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements of {}", self.bytes / self.dtype.size(), self.dtype)
    }
}

/// A rank that waits for another one to do its part of a message.
#[derive(Clone, Copy)]
pub(super) enum Waiting {
    /// The rank for its receiver.
    Sender(usize),
    /// The rank for its sender.
    Receiver(usize),
}

/// `before it received from rank 0`.
impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waiting::Sender(rank) => write!(f, "before it received from rank {rank}"),
            Waiting::Receiver(rank) => write!(f, "before it sent to rank {rank}"),
        }
    }
}

impl Waiting {
    /// `other` of `n` ranks left or died, as `how` says.
    pub(super) fn lost(self, other: usize, n: usize, how: impl fmt::Display) -> Error {
        Error::aborted(format!("rank {other} of {n} {how} {self}"))
    }

    /// `other` of `n` ranks did not come in time.
    pub(super) fn missed(self, other: usize, n: usize) -> Error {
        let what = match self {
            Waiting::Sender(rank) => format!("receive from rank {rank}"),
            Waiting::Receiver(rank) => format!("send to rank {rank}"),
        };
        Error::timeout(format!("rank {other} of {n} did not {what} in time"))
    }
}

/// What both ranks are told of a message whose ends do not fit.
pub(super) fn mismatch(
    (from, offered): (usize, Elements),
    (to, asked): (usize, Elements),
) -> Error {
    Error::mismatch(format!("rank {from} sends {offered}, rank {to} receives {asked}"))
        .help("no data moved and the group is still usable; make both ranks name the same")
}
