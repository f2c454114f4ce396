//! The memory of all ranks as one numbered set of cells, with input and output aliased in place.

use super::{Buffers, ExecutionPlan, Goal};
use ringwood_schedule::{BufferMode, Operation, Space};

/// The numbering of cells for one way in which input and output relate.
pub(crate) struct Layout {
    ranks: Vec<RankLayout>,
    total: usize,
}

struct RankLayout {
    buffers: Buffers,
    input: usize,
    output: usize,
    scratch: usize,
    packets: usize,
}

impl Layout {
    pub(crate) fn new(plan: &ExecutionPlan, mode: BufferMode) -> Self {
        let mut total = 0;
        let mut ranks = Vec::with_capacity(plan.ranks.len());
        for (rank, buffers) in plan.ranks.iter().enumerate() {
            let (input, output) = aliased(plan.goal, mode, rank, buffers);
            let user = (input + buffers.input as usize).max(output + buffers.output as usize);
            let scratch = total + user;
            let packets = scratch + buffers.scratch as usize;
            ranks.push(RankLayout {
                buffers: *buffers,
                input: total + input,
                output: total + output,
                scratch,
                packets,
            });
            total = packets + buffers.scratch as usize;
        }
        Self { ranks, total }
    }

    /// The number of cells and packets of all ranks.
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    /// The number of the first of `count` cells; `None` if they are not all in the buffer.
    pub(crate) fn cells(&self, rank: u32, space: Space, first: u32, count: u32) -> Option<usize> {
        let rank = self.ranks.get(rank as usize)?;
        let (start, size) = match space {
            Space::Input => (rank.input, rank.buffers.input),
            Space::Output => (rank.output, rank.buffers.output),
            Space::Scratch => (rank.scratch, rank.buffers.scratch),
        };
        fits(first, count, size).then(|| start + first as usize)
    }

    /// The number of the first of `count` packets; `None` if they are not all there.
    pub(crate) fn packets(&self, rank: u32, first: u32, count: u32) -> Option<usize> {
        let rank = self.ranks.get(rank as usize)?;
        fits(first, count, rank.buffers.scratch).then(|| rank.packets + first as usize)
    }

    /// The rank that owns a cell, and the cell's name there.
    pub(crate) fn name(&self, cell: usize) -> (usize, String) {
        let rank = self.ranks.partition_point(|r| r.packets + r.buffers.scratch as usize <= cell);
        let r = &self.ranks[rank];
        let within = |start: usize, size: u32| {
            (start..start + size as usize).contains(&cell).then(|| cell - start)
        };
        let name = if let Some(i) = within(r.output, r.buffers.output) {
            format!("output {i}")
        } else if let Some(i) = within(r.input, r.buffers.input) {
            format!("input {i}")
        } else if let Some(i) = within(r.scratch, r.buffers.scratch) {
            format!("scratch {i}")
        } else {
            format!("packet {}", cell - r.packets)
        };
        (rank, name)
    }
}

fn fits(first: u32, count: u32, size: u32) -> bool {
    first.checked_add(count).is_some_and(|end| end <= size)
}

/// Where a rank's input and output start in its memory.
fn aliased(goal: Goal, mode: BufferMode, rank: usize, buffers: &Buffers) -> (usize, usize) {
    let (input, output) = (buffers.input as usize, buffers.output as usize);
    match (mode, goal) {
        (BufferMode::OutOfPlace, _) => (0, input),
        (BufferMode::InPlace, Goal::Operation(Operation::AllGather)) => (rank * input, 0),
        (BufferMode::InPlace, Goal::Operation(Operation::ReduceScatter)) => (0, rank * output),
        (BufferMode::InPlace, _) => (0, 0),
    }
}
