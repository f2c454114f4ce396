//! From the lane of a rank to thread blocks that order each other.

use crate::touched::Touched;
use ringwood_schedule::{Action, ChunkRange, Params, Step};
use std::collections::{BTreeMap, HashMap};

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

/// Cuts the messages, copies and merges of a rank into thread blocks.
pub(super) fn assign(params: &Params, steps: &[Step]) -> Vec<Block> {
    let mut cutter = Cutter {
        blocks: Vec::new(),
        of_channel: HashMap::new(),
        peers: HashMap::new(),
        ends: HashMap::new(),
        touched: Touched::new(params),
    };
    cutter.open_blocks(steps);
    let mut previous = None;
    for step in steps {
        previous = Some(cutter.add(previous, step));
    }
    cutter.blocks
}

struct Cutter {
    blocks: Vec<Block>,
    /// The blocks of each channel.
    of_channel: HashMap<u16, Vec<usize>>,
    /// How many peers are sent to, and received from, on each channel.
    peers: HashMap<(bool, u16), usize>,
    /// The block that sends to or receives from a peer on a channel.
    ends: HashMap<(bool, u32, u16), usize>,
    /// By which blocks and rows.
    touched: Touched<(usize, usize)>,
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
        let (reads, writes) = accesses(step);
        let depends = self.depends(block, self.touched.before(&reads, &writes));
        if name == "s" && depends.is_empty() && self.fuse(previous, block, step.source) {
            let row = (block, self.blocks[block].rows.len() - 1);
            self.touched.note(row, &reads, &writes);
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
        self.touched.note(row, &reads, &writes);
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

    /// Of the rows that an operation of a block comes after, the last one of each other block, unless it
    /// was waited for.
    fn depends(&self, block: usize, before: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        let known = |&(other, row): &(usize, usize)| {
            other == block || self.blocks[block].waited.get(&other).is_some_and(|&rows| rows > row)
        };
        let last: BTreeMap<usize, usize> = before.into_iter().filter(|at| !known(at)).collect();
        last.into_iter().collect()
    }
}

/// The chunks that a step reads, and those that it writes.
fn accesses(step: &Step) -> (Vec<ChunkRange>, Vec<ChunkRange>) {
    let read = (step.action != Action::Recv).then_some(step.source);
    let merged = step.merges().then_some(step.chunks);
    let written = step.writes().then_some(step.chunks);
    (read.into_iter().chain(merged).collect(), written.into_iter().collect())
}
