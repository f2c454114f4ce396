//! From the lane of a rank to thread blocks that order each other.

use ringwood_schedule::{Action, BufferMode, ChunkRange, Params, Space, Step};
use std::collections::{BTreeMap, HashMap};

/// A thread block.
#[derive(Default)]
pub(super) struct Block {
    pub(super) send: Option<u32>,
    pub(super) recv: Option<u32>,
    pub(super) channel: u16,
    pub(super) rows: Vec<Row>,
    /// For each other block, how many of its rows this one has waited for.
    waited: HashMap<usize, usize>,
}

/// A step of the file.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) source: Option<ChunkRange>,
    pub(super) target: Option<ChunkRange>,
    /// The block and the row that it waits for.
    pub(super) depends: Option<(usize, usize)>,
    /// Whether others wait for it.
    pub(super) publishes: bool,
}

/// Who touched a chunk last: (block, row).
#[derive(Default)]
struct Touched {
    writer: Option<(usize, usize)>,
    /// By block.
    readers: BTreeMap<usize, usize>,
}

/// Cuts the messages, copies and merges of a rank into thread blocks.
pub(super) fn assign(params: &Params, steps: &[Step]) -> Vec<Block> {
    let mut cutter = Cutter {
        in_place: params.mode() == BufferMode::InPlace,
        blocks: Vec::new(),
        of_channel: HashMap::new(),
        peers: HashMap::new(),
        ends: HashMap::new(),
        chunks: HashMap::new(),
    };
    cutter.open_blocks(steps);
    let mut previous = None;
    for step in steps {
        previous = Some(cutter.add(previous, step));
    }
    cutter.blocks
}

struct Cutter {
    in_place: bool,
    blocks: Vec<Block>,
    /// The blocks of each channel.
    of_channel: HashMap<u16, Vec<usize>>,
    /// How many peers are sent to, and received from, on each channel.
    peers: HashMap<(bool, u16), usize>,
    /// The block that sends to or receives from a peer on a channel.
    ends: HashMap<(bool, u32, u16), usize>,
    chunks: HashMap<(Space, usize), Touched>,
}

impl Cutter {
    /// A block for the k-th peer sent to and the k-th received from, of each channel.
    fn open_blocks(&mut self, steps: &[Step]) {
        for step in steps.iter().filter(|step| step.has_peer()) {
            self.open(step.action == Action::Send, step.peer, step.channel);
        }
        if self.blocks.is_empty() {
            self.blocks.push(Block::default());
        }
    }

    fn open(&mut self, sends: bool, peer: u32, channel: u16) {
        if self.ends.contains_key(&(sends, peer, channel)) {
            return;
        }
        let peers = self.peers.entry((sends, channel)).or_default();
        let of_channel = self.of_channel.entry(channel).or_default();
        if *peers == of_channel.len() {
            of_channel.push(self.blocks.len());
            self.blocks.push(Block { channel, ..Block::default() });
        }
        let index = of_channel[*peers];
        *peers += 1;
        let block = &mut self.blocks[index];
        *(if sends { &mut block.send } else { &mut block.recv }) = Some(peer);
        self.ends.insert((sends, peer, channel), index);
    }

    /// Adds a step, and returns the row that a send right after it may be fused into.
    fn add(&mut self, previous: Option<(usize, usize)>, step: &Step) -> (usize, usize) {
        let name = match step.action {
            Action::Send => "s",
            Action::Recv => "r",
            Action::RecvReduce => "rrc",
            Action::Copy => "cpy",
            _ => "re",
        };
        let end = (step.action == Action::Send, step.peer, step.channel);
        let block = if step.has_peer() { self.ends[&end] } else { 0 };
        let source = (name != "r").then_some(step.source);
        let target = (name != "s").then_some(step.chunks);
        let depends = self.depends(block, step);
        if name == "s" && depends.is_empty() && self.fuse(previous, block, step.source) {
            let row = (block, self.blocks[block].rows.len() - 1);
            self.touch(row, step);
            return row;
        }
        let rows = &mut self.blocks[block].rows;
        let (last, others) = match depends.split_last() {
            Some((last, others)) => (Some(*last), others),
            None => (None, &[][..]),
        };
        for other in others {
            let (source, target, depends) = (None, None, Some(*other));
            rows.push(Row { name: "nop", source, target, depends, publishes: false });
        }
        rows.push(Row { name, source, target, depends: last, publishes: false });
        let row = (block, rows.len() - 1);
        for (other, at) in depends {
            self.blocks[other].rows[at].publishes = true;
            self.blocks[block].waited.insert(other, at + 1);
        }
        self.touch(row, step);
        row
    }

    /// Makes the receive right before a send of the same chunks forward them.
    fn fuse(&mut self, previous: Option<(usize, usize)>, block: usize, source: ChunkRange) -> bool {
        let Some((_, row)) = previous.filter(|(b, _)| *b == block) else { return false };
        let row = &mut self.blocks[block].rows[row];
        let forwards = match row.name {
            "r" => "rcs",
            "rrc" => "rrcs",
            _ => return false,
        };
        let same = row.target == Some(source);
        if same {
            row.name = forwards;
        }
        same
    }

    /// The rows of other blocks that an operation comes after: the last one of each.
    fn depends(&self, block: usize, step: &Step) -> Vec<(usize, usize)> {
        let mut last: HashMap<usize, usize> = HashMap::new();
        let mut after = |at: (usize, usize)| {
            let known = self.blocks[block].waited.get(&at.0).is_some_and(|&rows| rows > at.1);
            if at.0 != block && !known {
                let slot = last.entry(at.0).or_insert(at.1);
                *slot = (*slot).max(at.1);
            }
        };
        for (chunk, writes) in self.touches(step) {
            let Some(touched) = self.chunks.get(&chunk) else { continue };
            touched.writer.into_iter().for_each(&mut after);
            if writes {
                touched.readers.iter().for_each(|(block, row)| after((*block, *row)));
            }
        }
        let mut last: Vec<_> = last.into_iter().collect();
        last.sort_unstable();
        last
    }

    fn touch(&mut self, row: (usize, usize), step: &Step) {
        for (chunk, writes) in self.touches(step) {
            let touched = self.chunks.entry(chunk).or_default();
            if writes {
                *touched = Touched { writer: Some(row), readers: BTreeMap::new() };
            } else {
                touched.readers.insert(row.0, row.1);
            }
        }
    }

    /// The chunks that a step reads, then those that it writes.
    fn touches(&self, step: &Step) -> Vec<((Space, usize), bool)> {
        let of = |chunks: ChunkRange, writes: bool| {
            let same = self.in_place && chunks.space == Space::Input;
            let space = if same { Space::Output } else { chunks.space };
            chunks.range().map(move |chunk| ((space, chunk), writes))
        };
        let mut touches = Vec::new();
        if step.action != Action::Recv {
            touches.extend(of(step.source, false));
        }
        if step.merges() {
            touches.extend(of(step.chunks, false));
        }
        if step.writes() {
            touches.extend(of(step.chunks, true));
        }
        touches
    }
}
