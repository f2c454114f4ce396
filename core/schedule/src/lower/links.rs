//! The lanes of a group, and what links their steps.

use super::places::aligned;
use super::{Lowering, Places, Program};
use crate::chunk::CACHE_LINE;
use crate::{Action, BufferMode, ChunkRange, Rank, Space, Step};
use ringwood_base::Result;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// The lanes of a group, and what links their steps.
pub struct Links<'a> {
    /// Where chunks lie.
    pub places: &'a Places,
    /// The sends of each rank that leave a copy.
    pub staged: &'a [Vec<u32>],
    /// Gives the steps of a rank.
    pub lane: &'a Lanes<'a>,
    /// Some steps access memory of peers, or order others.
    pub one_sided: bool,
}

/// Gives the steps of a rank.
pub type Lanes<'a> = dyn Fn(Rank) -> Result<Cow<'a, [Step]>> + 'a;

impl Links<'_> {
    /// The program of `rank`; `completing` are its merges that complete a chunk. A pass does at most
    /// `tile` bytes of a chunk.
    pub fn lower(&self, rank: Rank, completing: &[(u32, u32)], tile: usize) -> Result<Program> {
        let (lane, index) = ((self.lane)(rank)?, rank.index());
        let (own_slots, arena) = self.slots(&lane, index);
        // Tiles are whole lines of cache, which must be whole elements, of one form.
        let layout = &self.places.schedule;
        let whole = CACHE_LINE.is_multiple_of(layout.unit()) && !layout.converts();
        let tile = if whole { tile } else { usize::MAX };
        let program = Program::tiled(self.places.largest_chunk, tile);
        let mut lowering = Lowering {
            rank: index,
            places: self.places,
            tiled: program.passes > 1,
            one_sided: self.one_sided,
            own_slots,
            peers: self.peers(rank, &lane)?,
            unread: Vec::new(),
            unpublished: None,
            barriers: 0,
            program: Program { arena, ..program },
        };
        lowering.begin();
        for (i, step) in lane.iter().enumerate() {
            lowering.step(i as u32, step, completing);
        }
        Ok(lowering.finish())
    }

    /// The ranks that this one exchanges something with: all, if steps access memory of peers.
    fn peers(&self, rank: Rank, lane: &[Step]) -> Result<BTreeMap<u32, Peer>> {
        let n = rank.group_size() as u32;
        let mut named: Vec<u32> = if self.one_sided {
            (0..n).filter(|&r| r as usize != rank.index()).collect()
        } else {
            lane.iter().filter(|step| step.has_peer()).map(|step| step.peer).collect()
        };
        named.sort_unstable();
        named.dedup();
        let peer = |index: u32| {
            let lane = (self.lane)(Rank::new(index as usize, rank.group_size()))?;
            let (slots, _) = self.slots(&lane, index as usize);
            Ok((index, Peer::new(rank, &lane, slots, self.places)))
        };
        named.into_iter().map(peer).collect()
    }

    /// Where a rank keeps the copies of its staged sends, and the end of them.
    fn slots(&self, lane: &[Step], rank: usize) -> (BTreeMap<u32, usize>, usize) {
        let mut end = self.places.arena(rank);
        let mut slot = |step: u32| {
            let start = end;
            end += aligned(self.places.bytes(rank, lane[step as usize].chunks));
            (step, start)
        };
        let sends = |(i, step): (usize, &Step)| (step.action == Action::Send).then_some(i as u32);
        // A put of a peer may come between a send and its receive.
        let slots = if self.one_sided {
            lane.iter().enumerate().filter_map(sends).map(&mut slot).collect()
        } else {
            self.staged[rank].iter().map(|&step| slot(step)).collect()
        };
        (slots, end)
    }
}

/// What a rank must know of a peer.
pub(super) struct Peer {
    /// For each action that others match and each channel, the steps that name this rank: their positions
    /// and their chunks.
    steps: BTreeMap<(Action, u16), VecDeque<(u32, ChunkRange)>>,
    /// The positions of its barriers.
    pub barriers: Vec<u32>,
    /// The first steps of the peer that only send from its buffer: done when the call begins.
    pub ready: u32,
    /// Where its staged sends leave their copies.
    pub slots: BTreeMap<u32, usize>,
    /// The progress that this rank knows of.
    pub known: u32,
}

impl Peer {
    fn new(rank: Rank, lane: &[Step], slots: BTreeMap<u32, usize>, places: &Places) -> Self {
        let steps = || lane.iter().enumerate().map(|(i, step)| (i as u32, step));
        let ours = |(_, s): &(u32, &Step)| s.has_peer() && s.peer as usize == rank.index();
        let mut matched: BTreeMap<_, VecDeque<_>> = BTreeMap::new();
        for (i, step) in steps().filter(ours) {
            let action = if step.receives() { Action::Recv } else { step.action };
            matched.entry((action, step.channel)).or_default().push_back((i, step.chunks));
        }
        // What a call begins with is in its place at once, unless it is copied.
        let first = match places.mode() {
            BufferMode::InPlace => Space::Output,
            BufferMode::OutOfPlace => Space::Input,
        };
        let plain = |(i, s): &(u32, &Step)| {
            s.action == Action::Send && s.chunks.space == first && !slots.contains_key(i)
        };
        let ready = if places.copies() { 0 } else { steps().take_while(plain).count() as u32 };
        let barrier = |(i, s): (u32, &Step)| (s.action == Action::Barrier).then_some(i);
        let barriers = steps().filter_map(barrier).collect();
        Self { steps: matched, barriers, ready, slots, known: 0 }
    }

    /// The peer's step that matches one of this rank: its position and its chunks. Steps are matched
    /// in their order.
    pub(super) fn matching(&mut self, step: &Step) -> Option<(u32, ChunkRange)> {
        let action = match step.action {
            Action::Send => Action::Recv,
            Action::Recv | Action::RecvReduce => Action::Send,
            Action::Wait => Action::Signal,
            _ => return None,
        };
        self.steps.get_mut(&(action, step.channel))?.pop_front()
    }
}
