//! From the lane of a rank to thread blocks that order each other.

use super::write::ends;
use crate::plan::{End, ExecutionPlan, Layout, PlanLane};
use std::collections::HashMap;

/// A thread block.
#[derive(Default)]
pub(super) struct Block {
    pub(super) send: Option<u32>,
    pub(super) recv: Option<u32>,
    pub(super) channel: u32,
    pub(super) rows: Vec<Row>,
    /// For each other block, how many of its rows this one has waited for.
    waited: HashMap<usize, usize>,
}

/// A step of the file.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) source: Option<End>,
    pub(super) target: Option<End>,
    pub(super) count: u32,
    /// The block and the row that it waits for.
    pub(super) depends: Option<(usize, usize)>,
    /// Whether others wait for it.
    pub(super) publishes: bool,
}

/// Who touched a cell last: (block, row).
#[derive(Default)]
struct Touched {
    writer: Option<(usize, usize)>,
    readers: Vec<(usize, usize)>,
}

/// Cuts a lane into thread blocks.
pub(super) fn assign(plan: &ExecutionPlan, layout: &Layout, lane: &PlanLane) -> Vec<Block> {
    let mut cutter = Cutter {
        plan,
        layout,
        blocks: Vec::new(),
        senders: HashMap::new(),
        receivers: HashMap::new(),
        cells: HashMap::new(),
    };
    cutter.open_blocks(lane);
    let mut previous = None;
    for op in &lane.ops {
        previous = ends(&op.action)
            .map(|(count, sources, targets)| cutter.add(previous, count, sources, targets));
    }
    cutter.blocks
}

struct Cutter<'a> {
    plan: &'a ExecutionPlan,
    layout: &'a Layout,
    blocks: Vec<Block>,
    /// The block of each queue that is sent to, and of each that is received from.
    senders: HashMap<u32, usize>,
    receivers: HashMap<u32, usize>,
    cells: HashMap<usize, Touched>,
}

impl Cutter<'_> {
    /// A block for the k-th queue sent to and the k-th received from, of each channel.
    fn open_blocks(&mut self, lane: &PlanLane) {
        for (_, sources, targets) in lane.ops.iter().filter_map(|op| ends(&op.action)) {
            for (end, sends) in
                targets.iter().map(|t| (t, true)).chain(sources.iter().map(|s| (s, false)))
            {
                if let End::Message { queue } = *end {
                    self.open(queue, sends);
                }
            }
        }
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
    }

    fn open(&mut self, queue: u32, sends: bool) {
        let of_queue = if sends { &self.senders } else { &self.receivers };
        if of_queue.contains_key(&queue) {
            return;
        }
        let (from, to, channel) = self.plan.queues[queue as usize];
        let free =
            |b: &Block| b.channel == channel && if sends { b.send } else { b.recv }.is_none();
        let index = self.blocks.iter().position(free).unwrap_or_else(|| {
            self.blocks.push(Block { channel, ..Block::default() });
            self.blocks.len() - 1
        });
        if sends {
            self.blocks[index].send = Some(to);
            self.senders.insert(queue, index);
        } else {
            self.blocks[index].recv = Some(from);
            self.receivers.insert(queue, index);
        }
    }

    /// Adds an operation, and returns the row that a send right after it may be fused into.
    fn add(
        &mut self,
        previous: Option<(usize, usize)>,
        count: u32,
        sources: &[End],
        targets: &[End],
    ) -> (usize, usize) {
        let (block, name) = self.kind(sources, targets);
        let cells = |end: &&End| matches!(end, End::Cells { .. });
        let source = sources.iter().rfind(cells).copied();
        let target = targets.iter().find(cells).copied();
        let depends = self.depends(block, count, sources, targets);
        if name == "s" && depends.is_empty() && self.fuse(previous, block, count, source) {
            let row = (block, self.blocks[block].rows.len() - 1);
            self.touch(row, count, sources, targets);
            return row;
        }
        let rows = &mut self.blocks[block].rows;
        let (last, others) = match depends.split_last() {
            Some((last, others)) => (Some(*last), others),
            None => (None, &[][..]),
        };
        for other in others {
            let (source, target, depends) = (None, None, Some(*other));
            rows.push(Row { name: "nop", source, target, count: 0, depends, publishes: false });
        }
        rows.push(Row { name, source, target, count, depends: last, publishes: false });
        let row = (block, rows.len() - 1);
        for (other, at) in depends {
            self.blocks[other].rows[at].publishes = true;
            self.blocks[block].waited.insert(other, at + 1);
        }
        self.touch(row, count, sources, targets);
        row
    }

    fn kind(&self, sources: &[End], targets: &[End]) -> (usize, &'static str) {
        let received = sources.iter().find_map(|end| match end {
            End::Message { queue } => Some(self.receivers[queue]),
            _ => None,
        });
        match (received, sources.len(), targets) {
            (Some(block), 1, _) => (block, "r"),
            (Some(block), ..) => (block, "rrc"),
            (None, _, [End::Message { queue }]) => (self.senders[queue], "s"),
            (None, 1, _) => (0, "cpy"),
            (None, ..) => (0, "re"),
        }
    }

    /// Makes the receive right before a send of the same chunks forward them.
    fn fuse(
        &mut self,
        previous: Option<(usize, usize)>,
        block: usize,
        count: u32,
        source: Option<End>,
    ) -> bool {
        let Some((_, row)) = previous.filter(|(b, _)| *b == block) else { return false };
        let row = &mut self.blocks[block].rows[row];
        let forwards = match row.name {
            "r" => "rcs",
            "rrc" => "rrcs",
            _ => return false,
        };
        let same = row.target == source && row.count == count;
        if same {
            row.name = forwards;
        }
        same
    }

    /// The rows of other blocks that an operation comes after: the last one of each.
    fn depends(
        &self,
        block: usize,
        count: u32,
        sources: &[End],
        targets: &[End],
    ) -> Vec<(usize, usize)> {
        let mut last: HashMap<usize, usize> = HashMap::new();
        let mut after = |at: (usize, usize)| {
            let known = self.blocks[block].waited.get(&at.0).is_some_and(|&rows| rows > at.1);
            if at.0 != block && !known {
                let slot = last.entry(at.0).or_insert(at.1);
                *slot = (*slot).max(at.1);
            }
        };
        for (cell, writes) in self.touches(count, sources, targets) {
            let Some(touched) = self.cells.get(&cell) else { continue };
            touched.writer.into_iter().for_each(&mut after);
            if writes {
                touched.readers.iter().copied().for_each(&mut after);
            }
        }
        let mut last: Vec<_> = last.into_iter().collect();
        last.sort_unstable();
        last
    }

    fn touch(&mut self, row: (usize, usize), count: u32, sources: &[End], targets: &[End]) {
        for (cell, writes) in self.touches(count, sources, targets) {
            let touched = self.cells.entry(cell).or_default();
            if writes {
                *touched = Touched { writer: Some(row), readers: Vec::new() };
            } else {
                touched.readers.retain(|r| r.0 != row.0);
                touched.readers.push(row);
            }
        }
    }

    /// The cells that an operation reads, then those that it writes.
    fn touches(&self, count: u32, sources: &[End], targets: &[End]) -> Vec<(usize, bool)> {
        let ends = sources.iter().map(|s| (s, false)).chain(targets.iter().map(|t| (t, true)));
        let cells = ends.filter_map(|(end, writes)| match *end {
            End::Cells { rank, space, first } => {
                Some((self.layout.cells(rank, space, first, count)?, writes))
            }
            _ => None,
        });
        cells
            .flat_map(|(start, writes)| (start..start + count as usize).map(move |c| (c, writes)))
            .collect()
    }
}
