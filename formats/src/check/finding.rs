//! What can be wrong with a plan.

use crate::plan::{ExecutionPlan, Origin};
use std::fmt;

/// An operation of a plan: `rank 0 lane 1 `rrc` (step 3, line 12)`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    /// The rank.
    pub rank: u32,
    /// The number of the lane within the rank, as the file gives it.
    pub lane: u32,
    /// The operation's name.
    pub operation: &'static str,
    /// Its number within the lane, as the file counts.
    pub step: u32,
    /// The line of the file; 0 if the format has no lines.
    pub line: u32,
}

impl Place {
    pub(crate) fn new(plan: &ExecutionPlan, lane: u32, op: u32) -> Self {
        let lane = &plan.lanes[lane as usize];
        let Origin { name, step, line } = lane.ops[op as usize].origin;
        Self { rank: lane.rank, lane: lane.id, operation: name, step, line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rank, lane, operation, step, line } = *self;
        write!(f, "rank {rank} lane {lane} {}", Origin { name: operation, step, line })
    }
}

/// A lane that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Blocked {
    /// Where it stands.
    pub place: Place,
    /// What it waits for: `a message from rank 1 on channel 0`.
    pub waits_for: String,
    /// Whether no lane will do that any more.
    pub never: bool,
}

/// What is wrong with a plan, and where.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case", tag = "finding")]
#[non_exhaustive]
pub enum Finding {
    /// A cell of the output ends with wrong contributions.
    WrongValue {
        /// The rank.
        rank: u32,
        /// The cell of its output.
        cell: u32,
        /// What is wrong with its contents: `holds input 0 of rank 0 twice and lacks input 0 of rank 3`.
        contents: String,
        /// The last operation that wrote it.
        written_by: Option<Place>,
    },
    /// An operation reads a cell that holds no value.
    Uninitialised {
        /// The operation.
        place: Place,
        /// The rank and the cell.
        cell: String,
    },
    /// An operation names cells that do not exist, or sources and targets that overlap.
    Cells {
        /// The operation.
        place: Place,
        /// What is wrong.
        why: String,
    },
    /// A receive expects another number of chunks than its message has.
    Count {
        /// The send.
        sent: Place,
        /// The receive.
        received: Place,
        /// The chunks sent and expected.
        counts: (u32, u32),
    },
    /// Two accesses of a cell, at least one a write, that nothing orders.
    Race {
        /// The rank and the cell.
        cell: String,
        /// An access.
        first: Place,
        /// Whether it writes.
        first_writes: bool,
        /// The other access.
        second: Place,
        /// Whether it writes.
        second_writes: bool,
    },
    /// A packet is written a second time: a reader may still take the first for it.
    PacketTwice {
        /// The rank and the packet.
        cell: String,
        /// The second write.
        place: Place,
    },
    /// Lanes wait for each other, or for what no lane does.
    Deadlock {
        /// The lanes, each waiting for the next one; the last one for the first, or for ever.
        cycle: Vec<Blocked>,
    },
    /// A message is never received, or a signal never waited for.
    Leftover {
        /// The send or signal.
        place: Place,
    },
    /// A signal in a loop meets a wait in a loop of another length.
    Rounds {
        /// The signal.
        signal: Place,
        /// The wait.
        wait: Place,
    },
    /// Two lanes use one end of a channel, or more lanes a barrier than meet there: which of them
    /// comes first is open.
    Shared {
        /// The first user.
        first: Place,
        /// The other one.
        second: Place,
    },
    /// A release of one of several lanes that nothing orders after an acquire: it may be the one
    /// that the acquire took, in place of another that the acquire relies on.
    Semaphore {
        /// The release.
        release: Place,
        /// The acquire.
        acquire: Place,
    },
    /// A rank may end before another one has written its output.
    Incomplete {
        /// The rank and the cell.
        cell: String,
        /// The write.
        place: Place,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::WrongValue { rank, cell, contents, written_by } => {
                write!(f, "rank {rank} output {cell} {contents}")?;
                match written_by {
                    Some(place) => write!(f, "; last written by {place}"),
                    None => f.write_str("; nothing writes it"),
                }
            }
            Finding::Uninitialised { place, cell } => {
                write!(f, "{place} reads {cell} before it holds a value")
            }
            Finding::Cells { place, why } => write!(f, "{place} {why}"),
            Finding::Count { sent, received, counts: (sends, expects) } => {
                write!(f, "{received} expects {expects} chunks, {sent} sends {sends}")
            }
            Finding::Race { cell, first, first_writes, second, second_writes } => {
                let verb = |writes: &bool| if *writes { "writes" } else { "reads" };
                let (a, b) = (verb(first_writes), verb(second_writes));
                write!(
                    f,
                    "race on {cell}: {first} {a} it, {second} {b} it, and nothing orders them"
                )
            }
            Finding::PacketTwice { cell, place } => {
                write!(f, "{place} writes {cell} a second time: readers cannot tell the two apart")
            }
            Finding::Deadlock { cycle } => write_cycle(f, cycle),
            Finding::Leftover { place } => write!(f, "{place} is never received or waited for"),
            Finding::Rounds { signal, wait } => {
                write!(f, "{signal} and {wait} stand in loops of different lengths")
            }
            Finding::Shared { first, second } => {
                write!(
                    f,
                    "{first} and {second} share a channel or barrier, and which comes first is open"
                )
            }
            Finding::Semaphore { release, acquire } => {
                write!(f, "{release} may be what {acquire} took, in place of another release")
            }
            Finding::Incomplete { cell, place } => {
                write!(f, "{cell}: its rank may end before {place} has written it")
            }
        }
    }
}

fn write_cycle(f: &mut fmt::Formatter<'_>, cycle: &[Blocked]) -> fmt::Result {
    f.write_str("deadlock: ")?;
    for (i, Blocked { place, waits_for, never }) in cycle.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        let never = if *never { ": never" } else { "" };
        write!(f, "{comma}{place} waits for {waits_for}{never}")?;
    }
    Ok(())
}
