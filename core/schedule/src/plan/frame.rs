//! Where the cells of a plan lie among the chunks of a proof.

use super::{Buffers, ExecutionPlan, Goal, PACKETS, PRIVATE};
use crate::{BufferMode, ChunkRange, Chunks, Descriptor, Params, Space, Step};
use ringwood_base::Result;
use std::ops::Range;

/// The chunks that the cells of a plan are, for one way in which input and output relate.
///
/// A file counts the cells of each buffer from 0, a schedule those of the whole input and output.
/// A plan that does not say what it computes has its input and output in one buffer.
pub(crate) struct Frame {
    pub(crate) params: Params,
    /// Whether the plan says what it computes.
    pub(crate) stated: bool,
    buffers: Vec<Buffers>,
    /// The plain scratch cells of every rank; packets, then cells of single lanes lie behind them.
    scratch: u32,
    /// Of a plan that does not say what it computes: where outputs begin.
    outputs: u32,
    /// The cells of a chunk of the file.
    cells: usize,
}

impl Frame {
    pub(crate) fn new(plan: &ExecutionPlan, mode: BufferMode) -> Result<Self> {
        let most = |size: fn(&Buffers) -> u32| plan.ranks.iter().map(size).max().unwrap_or(0);
        let (input, output) = (most(|b| b.input), most(|b| b.output));
        let outputs = if mode == BufferMode::InPlace { 0 } else { input };
        let params = match plan.goal {
            Goal::Operation(operation) => {
                let descriptor = plan.descriptor(operation);
                let params = Params::new(&descriptor, plan.ranks.len())?;
                params.segmented(plan.segments(operation))?.in_mode(mode)
            }
            Goal::Unstated => {
                let whole = Chunks::Fixed((outputs + output).max(input).max(1));
                Params::new(&Descriptor::all_reduce("plan").chunks(whole), plan.ranks.len())?
            }
        };
        let stated = plan.goal != Goal::Unstated;
        // Packets begin with a buffer of scratch chunks, and so do cells of lanes: fewer ranges are cut.
        let scratch = most(|b| b.scratch).next_multiple_of(params.chunks() as u32);
        let buffers = plan.ranks.clone();
        let cells = plan.cells.max(1) as usize;
        Ok(Self { params, stated, buffers, scratch, outputs, cells })
    }

    /// The chunks of a rank that cells are.
    pub(crate) fn chunks(&self, rank: u32, cells: ChunkRange) -> ChunkRange {
        let first = match cells.space {
            Space::Scratch if cells.first >= PRIVATE => cells.first - PRIVATE + 2 * self.scratch,
            Space::Scratch if cells.first >= PACKETS => cells.first - PACKETS + self.scratch,
            space => cells.first + self.base(rank as usize, space),
        };
        ChunkRange { first, space: self.space(cells.space), count: cells.count }
    }

    /// The step that does the same with chunks.
    pub(crate) fn step(&self, rank: u32, step: Step) -> Step {
        let [reads, writes] = step.owners(rank);
        let (chunks, source) = (self.chunks(writes, step.chunks), self.chunks(reads, step.source));
        Step { chunks, source, ..step }
    }

    fn space(&self, space: Space) -> Space {
        match space {
            Space::Input if self.params.mode() == BufferMode::InPlace => Space::Output,
            space => space,
        }
    }

    /// The chunk that cell 0 of a buffer is.
    fn base(&self, rank: usize, space: Space) -> u32 {
        match space {
            Space::Scratch => 0,
            Space::Output if !self.stated => self.outputs,
            Space::Input if !self.stated => 0,
            space => self.params.begin(rank, space),
        }
    }

    pub(crate) fn packets(&self) -> Range<u32> {
        self.scratch..2 * self.scratch
    }

    /// The chunks of a rank that hold a value at the beginning.
    pub(crate) fn defined(&self, rank: usize) -> Range<usize> {
        if self.stated {
            return self.params.defined(rank);
        }
        0..self.buffers[rank].input as usize
    }

    /// Whether a rank has cells.
    pub(crate) fn has(&self, rank: u32, cells: ChunkRange) -> bool {
        let buffers = &self.buffers[rank as usize];
        let (first, size) = match cells.space {
            Space::Input => (cells.first, buffers.input),
            Space::Output => (cells.first, buffers.output),
            Space::Scratch if cells.first >= PRIVATE => return true,
            Space::Scratch => (cells.first % PACKETS, buffers.scratch),
        };
        cells.count > 0 && first.checked_add(cells.count).is_some_and(|end| end <= size)
    }

    pub(crate) fn output(&self, rank: usize) -> Range<usize> {
        let first = self.base(rank, Space::Output) as usize;
        first..first + self.buffers[rank].output as usize
    }

    /// The name of a chunk in the file: `output 3`, or `output 3 (part 1 of 2)` where several lanes share
    /// the work on it.
    pub(crate) fn name(&self, rank: usize, space: Space, chunk: usize) -> String {
        let cell = |name: &str, first: usize| match (chunk - first, self.cells) {
            (cell, 1) => format!("{name} {cell}"),
            (cell, n) => format!("{name} {} (part {} of {n})", cell / n, cell % n + 1),
        };
        let scratch = self.scratch as usize;
        match space {
            Space::Scratch if chunk < scratch => cell("scratch", 0),
            Space::Scratch if chunk < 2 * scratch => cell("packet", scratch),
            Space::Scratch => format!("private {}", chunk - 2 * scratch),
            Space::Output if self.output(rank).contains(&chunk) => {
                cell("output", self.output(rank).start)
            }
            _ => cell("input", self.base(rank, Space::Input) as usize),
        }
    }
}
