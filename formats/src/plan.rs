//! The model of an execution plan: what every format is read into, and what is checked.

mod goal;
mod memory;

pub use goal::Goal;
pub(crate) use memory::Layout;

use ringwood_base::{Error, ErrorKind, Result};
use ringwood_schedule::{BufferMode, Space};
use std::fmt;
use std::ops::RangeInclusive;

/// A collective as a file gives it: several lanes for each rank, which order each other by messages,
/// signals, barriers and dependencies.
///
/// A lane is what MSCCL and MSCCL++ call a thread block, a rank is a GPU. Memory is counted in
/// cells: [`ExecutionPlan::cells`] of them are one chunk of the file, so that lanes that share the
/// work on a chunk touch whole cells.
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
    /// The cells of one chunk; at least 1.
    pub cells: u32,
    /// The buffers of each rank, in cells.
    pub ranks: Vec<Buffers>,
    /// The lanes of all ranks.
    pub lanes: Vec<PlanLane>,
    /// The message queues between lanes, by their ends: (sender's rank, receiver's rank, channel).
    pub queues: Vec<(u32, u32, u32)>,
    /// The counting signals between ranks: (from, to).
    pub signals: Vec<(u32, u32)>,
    /// The counting semaphores within ranks: the initial count of each.
    pub semaphores: Vec<u32>,
    /// The barriers: the number of lanes that meet at each.
    pub barriers: Vec<u32>,
    /// The number of proxies: agents that carry out puts of a lane later than the lane itself.
    pub proxies: u32,
}

/// The sizes of a rank's buffers in cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffers {
    /// What the caller passed in.
    pub input: u32,
    /// What the caller gets.
    pub output: u32,
    /// Memory of the plan.
    pub scratch: u32,
}

/// A sequence of operations of one rank.
#[derive(Clone, Debug)]
pub struct PlanLane {
    /// The rank it belongs to.
    pub rank: u32,
    /// Its number within the rank, as the file gives it.
    pub id: u32,
    /// The operations, in order.
    pub ops: Vec<Op>,
}

/// One operation of a lane.
#[derive(Clone, Debug)]
pub struct Op {
    /// What it does.
    pub action: Action,
    /// Where the file says so.
    pub origin: Origin,
}

/// Where an operation stands in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The operation's name in the format.
    pub name: &'static str,
    /// Its number within its lane, as the file counts.
    pub step: u32,
    /// The line of the file, from 1; 0 if the format has no lines.
    pub line: u32,
}

/// `rrc (step 3, line 12)`.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Merges the values of the sources, in their order, and leaves the result in every target.
    Move {
        /// The number of cells.
        cells: u32,
        /// Where values come from; at least one.
        sources: Vec<End>,
        /// Where the result goes; at least one.
        targets: Vec<End>,
        /// Who does it, if not the lane.
        proxy: Option<u32>,
    },
    /// Adds one to a signal.
    Signal {
        /// The signal.
        signal: u32,
        /// Whether it orders memory, or execution only.
        relaxed: bool,
        /// Who does it, if not the lane.
        proxy: Option<u32>,
        /// The loop it stands in.
        rounds: Rounds,
    },
    /// Waits until a signal is above zero and takes one from it.
    Wait {
        /// The signal.
        signal: u32,
        /// Whether it orders memory, or execution only.
        relaxed: bool,
        /// The loop it stands in.
        rounds: Rounds,
    },
    /// Waits until a proxy has read all that it was asked to put: the sources may change then, but
    /// what was put need not be there yet.
    Flush {
        /// The proxy.
        proxy: u32,
    },
    /// Waits for the other lanes of the rank.
    Barrier {
        /// The barrier.
        barrier: u32,
    },
    /// Waits until a semaphore is above zero and takes one from it.
    Acquire {
        /// The semaphore.
        semaphore: u32,
    },
    /// Adds one to a semaphore.
    Release {
        /// The semaphore.
        semaphore: u32,
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

/// How often a loop runs: by the size of its unit and the number of chunks it covers; all zero
/// outside of loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounds {
    /// The bytes of one round.
    pub unit: u64,
    /// The chunks of all rounds.
    pub chunks: u32,
}

/// Where a value comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Consecutive cells of a buffer.
    Cells {
        /// The rank that owns them.
        rank: u32,
        /// The buffer.
        space: Space,
        /// The first cell.
        first: u32,
    },
    /// Consecutive packets of a rank's scratch memory: cells that say whether they are full.
    Packets {
        /// The rank that owns them.
        rank: u32,
        /// The first packet.
        first: u32,
    },
    /// The next message of a queue.
    Message {
        /// The queue.
        queue: u32,
    },
}

/// A plan of more ranks than this is refused.
pub(crate) const MOST_RANKS: usize = 4096;
/// A plan whose ranks have more cells together than this is refused.
pub(crate) const MOST_CELLS: u64 = 1 << 21;
/// A plan of more operations, each counted with the cells it touches, is refused.
pub(crate) const MOST_WORK: u64 = 1 << 24;
/// A plan of more operations, each counted once for every lane, is refused: clocks are that large.
pub(crate) const MOST_CLOCKS: u64 = 1 << 27;

impl ExecutionPlan {
    /// A plan without ranks and lanes, whose chunks are cells.
    pub(crate) fn new(
        name: &str,
        goal: Goal,
        modes: Vec<BufferMode>,
        bytes: RangeInclusive<u64>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            goal,
            modes,
            bytes,
            cells: 1,
            ranks: Vec::new(),
            lanes: Vec::new(),
            queues: Vec::new(),
            signals: Vec::new(),
            semaphores: Vec::new(),
            barriers: Vec::new(),
            proxies: 0,
        }
    }

    /// Refuses a plan whose buffers are not those of its goal; readers make none.
    pub(crate) fn check_buffers(&self) -> Result<()> {
        let refuse = |why: &str| {
            let message = format!("plan `{}` {why}", self.name);
            Err(Error::new(ErrorKind::InvalidArgument, message))
        };
        let Some(first) = self.ranks.first().filter(|_| self.cells > 0) else {
            return refuse("has no ranks, or chunks of no cells");
        };
        if self.goal == Goal::Unstated {
            return Ok(());
        }
        if self.goal.name() == Goal::Unstated.name() {
            return refuse("is for an operation that no format has");
        }
        let due = self.goal.sizes(self.ranks.len() as u32, first.input.max(first.output))?;
        let fits = |b: &Buffers| (b.input, b.output) == (due.input, due.output) && b.output > 0;
        match self.ranks.iter().all(fits) {
            true => Ok(()),
            false => refuse("has buffers of other sizes than its operation needs"),
        }
    }

    /// Refuses a plan whose operations name what it does not have; readers make none.
    pub(crate) fn check_names(&self) -> Result<()> {
        let within = |index: u32, count: usize| (index as usize) < count;
        let ranks = self.ranks.len();
        let end = |end: &End| match *end {
            End::Cells { rank, .. } | End::Packets { rank, .. } => within(rank, ranks),
            End::Message { queue } => within(queue, self.queues.len()),
        };
        let proxy = |proxy: Option<u32>| proxy.is_none_or(|p| p < self.proxies);
        let signals = self.signals.len();
        let right = |op: &Op| match op.action {
            Action::Move { ref sources, ref targets, proxy: by, .. } => {
                let filled = !sources.is_empty() && !targets.is_empty();
                filled && sources.iter().chain(targets).all(end) && proxy(by)
            }
            Action::Signal { signal, proxy: by, .. } => within(signal, signals) && proxy(by),
            Action::Wait { signal, .. } => within(signal, signals),
            Action::Flush { proxy: by } => proxy(Some(by)),
            Action::Barrier { barrier } => within(barrier, self.barriers.len()),
            Action::Acquire { semaphore } | Action::Release { semaphore } => {
                within(semaphore, self.semaphores.len())
            }
            Action::After { lane, op, .. } => self
                .lanes
                .get(lane as usize)
                .is_some_and(|lane| op.is_none_or(|op| within(op, lane.ops.len()))),
            Action::Nop => true,
        };
        for lane in &self.lanes {
            let wrong = lane.ops.iter().find(|op| !within(lane.rank, ranks) || !right(op));
            if let Some(op) = wrong {
                let (rank, id, origin) = (lane.rank, lane.id, op.origin);
                let message = format!("rank {rank} lane {id} {origin} names what is not there");
                return Err(
                    Error::new(ErrorKind::InvalidArgument, message).with("plan", &self.name)
                );
            }
        }
        Ok(())
    }

    /// Refuses a plan that is too large to be checked in memory.
    pub(crate) fn check_size(&self) -> Result<()> {
        let cells = |b: &Buffers| u64::from(b.input) + u64::from(b.output) + u64::from(b.scratch);
        let cells: u64 = self.ranks.iter().map(cells).sum();
        let work = |op: &Op| match &op.action {
            Action::Move { cells, sources, targets, .. } => {
                u64::from(*cells) * (sources.len() + targets.len()) as u64
            }
            _ => 1,
        };
        let ops: u64 = self.lanes.iter().map(|l| l.ops.len() as u64).sum();
        let work: u64 = self.lanes.iter().flat_map(|l| &l.ops).map(work).sum();
        let clocks = ops.saturating_mul(self.lanes.len() as u64 + 2 * u64::from(self.proxies));
        let too_large = [
            (self.ranks.len() as u64, MOST_RANKS as u64, "ranks"),
            (cells, MOST_CELLS, "cells of memory"),
            (work, MOST_WORK, "accesses to cells"),
            (clocks, MOST_CLOCKS, "operations times lanes"),
        ];
        for (has, most, what) in too_large {
            if has > most {
                let message = format!("plan `{}` has {has} {what}", self.name);
                return Err(Error::new(ErrorKind::Unsupported, message)
                    .help(format!("a plan is checked in memory, with at most {most}")));
            }
        }
        Ok(())
    }
}
