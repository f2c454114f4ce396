//! What a rank knows of a peer's lane.

use super::places::Places;
use crate::{Action, BufferMode, ChunkRange, Rank, Space, Step};
use std::collections::{BTreeMap, VecDeque};

/// What a rank must know of a peer.
pub(super) struct Peer {
    sends: Channels,
    receives: Channels,
    signals: Channels,
    /// The positions of its barriers.
    pub barriers: Vec<u32>,
    /// The first steps of the peer that only send from its buffer: done when the call begins.
    pub ready: u32,
    /// Where its staged sends leave their copies.
    pub slots: BTreeMap<u32, usize>,
    /// The progress that this rank knows of.
    pub known: u32,
}

/// For each channel, steps that name this rank: their positions and their chunks.
type Channels = BTreeMap<u16, VecDeque<(u32, ChunkRange)>>;

impl Peer {
    pub(super) fn new(
        rank: Rank,
        lane: &[Step],
        slots: BTreeMap<u32, usize>,
        places: &Places,
    ) -> Self {
        let steps = || lane.iter().enumerate().map(|(i, step)| (i as u32, step));
        let ours = |(_, s): &(u32, &Step)| s.has_peer() && s.peer as usize == rank.index();
        let [mut sends, mut receives, mut signals] = [(); 3].map(|()| Channels::new());
        for (i, step) in steps().filter(ours) {
            let channels = match step.action {
                Action::Send => &mut sends,
                Action::Signal => &mut signals,
                _ if step.receives() => &mut receives,
                _ => continue,
            };
            channels.entry(step.channel).or_default().push_back((i, step.chunks));
        }
        // What a call begins with is in its place at once, unless it is copied.
        let first = match places.params().mode() {
            BufferMode::InPlace => Space::Output,
            BufferMode::OutOfPlace => Space::Input,
        };
        let plain = |(i, s): &(u32, &Step)| {
            s.action == Action::Send && s.chunks.space == first && !slots.contains_key(i)
        };
        let ready = if places.copies() { 0 } else { steps().take_while(plain).count() as u32 };
        let barrier = |(i, s): (u32, &Step)| (s.action == Action::Barrier).then_some(i);
        Self {
            sends,
            receives,
            signals,
            barriers: steps().filter_map(barrier).collect(),
            ready,
            slots,
            known: 0,
        }
    }

    /// The peer's step that matches one of this rank: its position and its chunks. Steps are matched
    /// in their order.
    pub(super) fn matching(&mut self, step: &Step) -> Option<(u32, ChunkRange)> {
        let channels = match step.action {
            Action::Send => &mut self.receives,
            Action::Recv | Action::RecvReduce => &mut self.sends,
            Action::Wait => &mut self.signals,
            _ => return None,
        };
        channels.get_mut(&step.channel)?.pop_front()
    }
}
