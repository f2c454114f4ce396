//! What a rank does over streams: the steps of its lane, with the bytes that they concern.

use crate::{Memory, Op, Plan};
use ringwood_base::{Error, Result};
use ringwood_schedule::{Action, ChunkRange, Step};
use std::ops::Range;

/// What a rank does over streams.
pub(super) struct Moves {
    pub(super) all: Vec<Move>,
    /// The bytes of the arena.
    pub(super) arena: usize,
    /// The messages that each rank will send, in their order: channel and length.
    pub(super) expected: Vec<Vec<(u16, usize)>>,
    /// The bytes received.
    pub(super) moved: u64,
}

/// One thing that a rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Send { to: usize, channel: u16, source: Bytes },
    Receive { from: usize, channel: u16, target: Bytes, how: How },
    Local { source: Bytes, target: Bytes, how: How },
    Finish(Bytes),
    Signal { to: usize, channel: u16 },
    Wait { from: usize, channel: u16 },
    Barrier,
}

/// What becomes of bytes that come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Store,
    /// Merged with what is there, as the left operands or as the right ones.
    Merge {
        left: bool,
    },
}

/// Bytes of a memory of this rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bytes {
    pub(super) memory: Memory,
    pub(super) range: Range<usize>,
}

impl Moves {
    /// # Errors
    /// The schedule accesses the memory of peers.
    pub(super) fn of(plan: &Plan) -> Result<Self> {
        let (rank, n) = (plan.rank(), plan.rank().group_size());
        let mut moves = Self {
            all: Vec::new(),
            arena: plan.arena(rank.index()),
            expected: vec![Vec::new(); n],
            moved: 0,
        };
        let [before, after] = plan.copies();
        moves.all.extend(before.as_ref().map(copy));
        for (index, step) in plan.steps(rank)?.iter().enumerate() {
            moves.step(plan, index as u32, step)?;
        }
        moves.all.extend(after.as_ref().map(copy));
        Ok(moves)
    }

    fn step(&mut self, plan: &Plan, index: u32, step: &Step) -> Result<()> {
        let (peer, channel) = (step.peer as usize, step.channel);
        let how = match step.merges() {
            true => How::Merge { left: step.left },
            false => How::Store,
        };
        let target = || bytes(plan, step.chunks);
        match step.action {
            Action::Signal => self.all.push(Move::Signal { to: peer, channel }),
            Action::Wait => self.all.push(Move::Wait { from: peer, channel }),
            Action::Barrier => self.all.push(Move::Barrier),
            Action::Put | Action::Get | Action::GetReduce => return Err(refused(plan, step)),
            // Both sides skip a chunk that is empty.
            _ if target().range.is_empty() => {}
            Action::Send => self.all.push(Move::Send { to: peer, channel, source: target() }),
            Action::Recv | Action::RecvReduce => {
                let (target, layout) = (target(), plan.layout());
                let length =
                    layout.elements(plan.rank().index(), step.chunks).len() * layout.unit();
                self.expected[peer].push((channel, length));
                self.moved += length as u64;
                self.all.push(Move::Receive { from: peer, channel, target, how });
            }
            Action::Copy | Action::Reduce => {
                let (source, target) = (bytes(plan, step.source), target());
                self.all.push(Move::Local { source, target, how });
            }
        }
        if step.merges() {
            self.finish(plan, index, step);
        }
        Ok(())
    }

    /// The group's operator finishes a chunk where its last contribution is merged.
    fn finish(&mut self, plan: &Plan, index: u32, step: &Step) {
        let completing = plan.completing();
        let first = completing.partition_point(|&(step, _)| step < index);
        for &(_, chunk) in completing[first..].iter().take_while(|(step, _)| *step == index) {
            let chunk = ChunkRange { first: chunk, count: 1, ..step.chunks };
            self.all.push(Move::Finish(bytes(plan, chunk)));
        }
    }
}

fn bytes(plan: &Plan, chunks: ChunkRange) -> Bytes {
    let rank = plan.rank().index();
    let (place, length) = (plan.place(rank, chunks), plan.layout().bytes(rank, chunks).len());
    Bytes { memory: place.memory, range: place.offset..place.offset + length }
}

fn copy(op: &Op) -> Move {
    let Op::Copy { source, target, bytes } = *op else { unreachable!("a plan copies in and out") };
    let of = |at: crate::Address| Bytes { memory: at.memory, range: at.offset..at.offset + bytes };
    Move::Local { source: of(source), target: of(target), how: How::Store }
}

fn refused(plan: &Plan, step: &Step) -> Error {
    let message = format!("the transport `socket` cannot {step}: it reaches no memory of peers");
    Error::unsupported(message)
        .with("rank", plan.rank())
        .with("site", step.site)
        .help("use an algorithm that sends and receives, or the transport `arena`")
}
