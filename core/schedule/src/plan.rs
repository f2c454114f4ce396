//! Execution plans: schedules with several lanes for each rank, as other systems write them.

mod frame;
mod goal;
mod lower;
mod size;

pub(crate) use frame::Frame;
pub use goal::Goal;

use super::{BufferMode, ChunkRange, Chunks, Descriptor, Operation, Space, Step};
use ringwood_base::escape_control;
use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

/// A collective as a file gives it: several lanes for each rank, which order each other by messages,
/// semaphores, barriers and dependencies.
///
/// A lane is what MSCCL and MSCCL++ call a thread block, a rank is a GPU. Memory is counted in
/// cells: [`ExecutionPlan::cells`] of them are one chunk of the file, so that lanes that share the
/// work on a chunk touch whole cells. Each buffer of a rank begins at cell 0.
#[derive(Clone, Debug)]
pub struct ExecutionPlan {
    /// The name that the file gives.
    pub name: String,
    /// What the ranks' outputs must hold at the end.
    pub goal: Goal,
    /// How input and output may relate: the plan is checked for each.
    pub modes: Vec<BufferMode>,
    /// The sizes of the larger buffer, in bytes, that the plan is meant for.
    pub bytes: RangeInclusive<u64>,
    /// The protocol that the file asks for: `Simple`, `LL` or `LL128`.
    pub protocol: String,
    /// The cells of one chunk; at least 1.
    pub cells: u32,
    /// The buffers of each rank, in cells.
    pub ranks: Vec<Buffers>,
    /// The lanes of all ranks.
    pub lanes: Vec<PlanLane>,
    /// The counting semaphores within ranks, and the signals between them.
    pub semaphores: Vec<Semaphore>,
    /// The barriers: the number of lanes that meet at each.
    pub barriers: Vec<u32>,
    /// The number of port channels: queues of work that is done later than its lane goes on.
    pub ports: u32,
    /// What its reader left out of account, in words.
    pub warnings: Vec<String>,
}

/// Scratch cells from this one on are packets: cells that say whether they are full.
pub const PACKETS: u32 = 1 << 30;
/// Scratch cells from this one on are of one lane alone: what it merges on its way.
pub const PRIVATE: u32 = 1 << 31;

/// Whether cells are packets.
fn are_packets(cells: ChunkRange) -> bool {
    cells.space == Space::Scratch && (PACKETS..PRIVATE).contains(&cells.first)
}

/// The sizes of a rank's buffers in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffers {
    /// What the caller passed in.
    pub input: u32,
    /// What the caller gets.
    pub output: u32,
    /// Memory of the plan, and as many packets.
    pub scratch: u32,
}

/// A counting semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Semaphore {
    /// What it counts at the beginning.
    pub initial: u32,
    /// The ranks from which and to which it is a signal; none if it is within a rank. A signal is
    /// waited for as often as it is given.
    pub signal: Option<(u32, u32)>,
}

/// A sequence of operations of one rank.
#[derive(Clone, Debug)]
pub struct PlanLane {
    /// The rank it belongs to.
    pub rank: u32,
    /// Its number within the rank, as the file gives it.
    pub id: u32,
    /// The operations, in order.
    pub ops: Vec<PlanOp>,
}

/// One operation of a lane.
#[derive(Clone, Debug)]
pub struct PlanOp {
    /// What it does.
    pub action: PlanAction,
    /// Where the file says so.
    pub origin: Origin,
}

/// Where an operation stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Origin {
    /// The operation's name in the format.
    #[serde(rename = "operation")]
    pub name: &'static str,
    /// Its number within its lane, as the file counts.
    pub step: u32,
    /// The line of the file, from 1; 0 if the format has no lines.
    pub line: u32,
}

/// `` `rrc` (step 3, line 12) ``.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { name, step, line } = self;
        match line {
            0 => write!(f, "`{name}` (step {step})"),
            _ => write!(f, "`{name}` (step {step}, line {line})"),
        }
    }
}

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanAction {
    /// A send, a receive, a copy, a merge, a put or a get, of cells in the place of chunks.
    Move {
        /// What is moved.
        step: Step,
        /// The port channel that does it, if not the lane.
        port: Option<u32>,
    },
    /// Adds one to a semaphore.
    Release {
        /// The semaphore.
        semaphore: u32,
        /// Whether it orders memory, or execution only.
        relaxed: bool,
        /// The port channel that does it, if not the lane.
        port: Option<u32>,
        /// The loop it stands in.
        rounds: Rounds,
    },
    /// Waits until a semaphore is above zero and takes one from it.
    Acquire {
        /// The semaphore.
        semaphore: u32,
        /// Whether it orders memory, or execution only.
        relaxed: bool,
        /// The loop it stands in.
        rounds: Rounds,
    },
    /// Waits until a port channel has read all that the lane asked it to put: the sources may
    /// change then, but what was put need not be there yet.
    Flush {
        /// The port channel.
        port: u32,
    },
    /// Waits for the other lanes of the rank.
    Barrier {
        /// The barrier.
        barrier: u32,
    },
    /// Waits until another lane of the rank has done an operation.
    After {
        /// The lane, among all lanes of the plan.
        lane: u32,
        /// The step that the file names.
        step: u32,
        /// The operation that says that it is done, by its place in the lane; `None` if none does.
        op: Option<u32>,
    },
    /// Nothing.
    Nop,
}

impl PlanAction {
    /// What it moves, if it does.
    pub const fn moved(&self) -> Option<&Step> {
        match self {
            PlanAction::Move { step, .. } => Some(step),
            _ => None,
        }
    }

    /// Whether it is a relaxed signal, or waits for one.
    pub(crate) const fn is_relaxed(&self) -> bool {
        matches!(
            self,
            PlanAction::Release { relaxed: true, .. } | PlanAction::Acquire { relaxed: true, .. }
        )
    }

    pub(crate) fn moves_packets(&self) -> bool {
        self.moved().is_some_and(|step| are_packets(step.source) || are_packets(step.chunks))
    }

    /// The port channel that it uses.
    pub const fn port(&self) -> Option<u32> {
        match *self {
            PlanAction::Move { port, .. } | PlanAction::Release { port, .. } => port,
            PlanAction::Flush { port } => Some(port),
            _ => None,
        }
    }
}

/// How often a loop runs: by the size of its unit and the number of chunks it covers; all zero
/// outside of loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// The bytes of one round.
    pub unit: u64,
    /// The chunks of all rounds.
    pub chunks: u32,
}

impl ExecutionPlan {
    /// A plan without ranks and lanes, whose chunks are cells; characters of `name` that no text shows
    /// are escaped.
    pub fn new(name: &str, goal: Goal, modes: Vec<BufferMode>, bytes: RangeInclusive<u64>) -> Self {
        Self {
            name: escape_control(name),
            goal,
            modes,
            bytes,
            protocol: "Simple".to_owned(),
            cells: 1,
            ranks: Vec::new(),
            lanes: Vec::new(),
            semaphores: Vec::new(),
            barriers: Vec::new(),
            ports: 0,
            warnings: Vec::new(),
        }
    }

    /// What all lanes do.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &PlanAction> {
        self.lanes.iter().flat_map(|lane| &lane.ops).map(|op| &op.action)
    }

    /// Adds a warning, once.
    pub fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// How an algorithm that does `operation` as this plan does describes itself.
    pub fn descriptor(&self, operation: Operation) -> Descriptor {
        let name = Cow::Owned(self.name.clone());
        let descriptor = Descriptor { name, ..Descriptor::new("", operation) };
        let vector = Chunks::Fixed(self.whole());
        let descriptor = if operation.blocked() { descriptor } else { descriptor.chunks(vector) };
        match self.modes.as_slice() {
            [BufferMode::OutOfPlace] => descriptor.out_of_place(),
            [_] => descriptor,
            _ => descriptor.both_modes(),
        }
    }

    /// The segments of each chunk of its schedule.
    pub fn segments(&self, operation: Operation) -> usize {
        if operation.blocked() { self.whole() as usize / self.ranks.len() } else { 1 }
    }

    /// The cells of the larger buffer.
    fn whole(&self) -> u32 {
        self.ranks.first().map_or(0, |b| b.input.max(b.output))
    }
}
