//! One step of a rank.

use crate::{ChunkRange, Space};
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::panic::Location;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Action {
    /// The peer's matching receive gets the chunks' values of this moment.
    Send,
    /// The chunks take the values of the peer's matching send.
    Recv,
    /// The chunks become `merge(chunks, received)`.
    RecvReduce,
    /// The chunks take the values of other chunks of this rank.
    Copy,
    /// The chunks become `merge(chunks, other chunks of this rank)`.
    Reduce,
    /// Chunks of the peer take the values of chunks of this rank.
    Put,
    /// The chunks take the values of chunks of the peer.
    Get,
    /// The chunks become `merge(chunks, chunks of the peer)`.
    GetReduce,
    /// Tells the peer that all earlier steps of this rank are done.
    Signal,
    /// Waits for the peer's matching signal.
    Wait,
    /// Waits until every rank of the group has come to this barrier.
    Barrier,
}

/// Where an author wrote a step; unknown for steps that were read from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site(Option<&'static Location<'static>>);

impl Site {
    #[track_caller]
    pub(super) fn here() -> Self {
        Site(Some(Location::caller()))
    }

    /// Whether the place is known; a step that was read from a file has none.
    pub(crate) const fn is_known(&self) -> bool {
        self.0.is_some()
    }
}

/// `src/lib.rs:41`.
impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(location) => write!(f, "{}:{}", location.file(), location.line()),
            None => f.write_str("(no source)"),
        }
    }
}

impl Serialize for Site {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One step of a rank: 40 bytes, no allocation.
///
/// The k-th send of a rank to a peer on a channel matches the k-th receive of that peer from the
/// rank on it; both name as many chunks. Signals and waits match in the same way, on channels of
/// their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// Whether what comes in is the left operand of a merge; else the chunks written are.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub left: bool,
    /// The channel of a message or signal.
    #[serde(default, skip_serializing_if = "is_default")]
    pub channel: u16,
    /// The other rank; of local steps and barriers the own one.
    pub peer: u32,
    /// The chunks sent, received into, or written. Those of a put are the peer's, all others the
    /// own.
    pub chunks: ChunkRange,
    /// The chunks read by copies, puts and gets; `chunks` otherwise. Those of a get are the peer's.
    pub source: ChunkRange,
    /// Where the author wrote the step.
    #[serde(skip_deserializing)]
    pub site: Site,
}

fn is_default(channel: &u16) -> bool {
    *channel == 0
}

impl Step {
    /// Whether the step writes [`Step::chunks`] of this rank.
    pub const fn writes(&self) -> bool {
        use Action::{Copy, Get, GetReduce, Recv, RecvReduce, Reduce};
        matches!(self.action, Recv | RecvReduce | Copy | Reduce | Get | GetReduce)
    }

    /// Whether the step takes the values of a message.
    pub const fn receives(&self) -> bool {
        matches!(self.action, Action::Recv | Action::RecvReduce)
    }

    /// Whether the step merges two values.
    pub const fn merges(&self) -> bool {
        matches!(self.action, Action::RecvReduce | Action::Reduce | Action::GetReduce)
    }

    /// Whether it keeps merges apart from what travels: only scratch chunks are merged into, and they
    /// are neither sent nor accessed by a peer, nor merged again.
    pub(crate) fn keeps_aside(&self) -> bool {
        let scratch = |chunks: ChunkRange| chunks.space == Space::Scratch;
        match self.action {
            Action::Send => !scratch(self.chunks),
            Action::RecvReduce => scratch(self.chunks),
            Action::Reduce | Action::GetReduce => scratch(self.chunks) && !scratch(self.source),
            Action::Get => !scratch(self.source),
            Action::Put => !scratch(self.source) && !scratch(self.chunks),
            _ => true,
        }
    }

    /// The step where the input is the output's memory: it reads the output.
    pub(super) fn in_place(self) -> Self {
        let one = |chunks: ChunkRange| match chunks.space {
            Space::Input => chunks.of(Space::Output),
            _ => chunks,
        };
        let chunks = if self.action == Action::Send { one(self.chunks) } else { self.chunks };
        Self { chunks, source: one(self.source), ..self }
    }

    /// Whether the step only orders others: it names no chunks.
    pub const fn synchronises(&self) -> bool {
        matches!(self.action, Action::Signal | Action::Wait | Action::Barrier)
    }

    /// Whether the step accesses memory of its peer itself.
    pub const fn one_sided(&self) -> bool {
        matches!(self.action, Action::Put | Action::Get | Action::GetReduce)
    }

    /// The ranks whose chunks a step of `rank` reads, and whose it writes.
    pub(crate) fn owners(&self, rank: u32) -> [u32; 2] {
        match self.action {
            Action::Put => [rank, self.peer],
            Action::Get | Action::GetReduce => [self.peer, rank],
            _ => [rank, rank],
        }
    }

    /// Whether the step names another rank.
    pub const fn has_peer(&self) -> bool {
        !matches!(self.action, Action::Copy | Action::Reduce | Action::Barrier)
    }
}

/// `recv_reduce(from 1, chunk 1)`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { peer, chunks, source, .. } = self;
        match self.action {
            Action::Send => write!(f, "send(to {peer}, {chunks}"),
            Action::Recv => write!(f, "recv(from {peer}, {chunks}"),
            Action::RecvReduce => write!(f, "recv_reduce(from {peer}, {chunks}"),
            Action::Copy => write!(f, "copy({source} to {chunks}"),
            Action::Reduce => write!(f, "reduce({source} into {chunks}"),
            Action::Put => write!(f, "put(to {peer}, {source} to {chunks}"),
            Action::Get => write!(f, "get(from {peer}, {source} to {chunks}"),
            Action::GetReduce => write!(f, "get_reduce(from {peer}, {source} into {chunks}"),
            Action::Signal => write!(f, "signal(to {peer}"),
            Action::Wait => write!(f, "wait(for {peer}"),
            Action::Barrier => return f.write_str("barrier()"),
        }?;
        if self.left {
            f.write_str(", from the left")?;
        }
        if self.channel != 0 {
            write!(f, ", channel {}", self.channel)?;
        }
        f.write_str(")")
    }
}
