//! The lanes of a group, and what links their steps.

use super::peer::Peer;
use super::places::aligned;
use super::{Lowering, Places, Program};
use crate::chunk::CACHE_LINE;
use crate::{Action, Rank, Step};
use ringwood_base::Result;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The lanes of a group, and what links their steps.
pub struct Links<'a> {
    places: &'a Places,
    staged: &'a [Vec<u32>],
    lane: &'a Lanes<'a>,
    /// Some steps access memory of peers, or order others.
    one_sided: bool,
}

/// Gives the steps of a rank.
pub type Lanes<'a> = dyn Fn(Rank) -> Result<Cow<'a, [Step]>> + 'a;

impl<'a> Links<'a> {
    /// `staged` are the sends of each rank that leave a copy.
    pub fn new(places: &'a Places, staged: &'a [Vec<u32>], lane: &'a Lanes<'a>) -> Self {
        Self { places, staged, lane, one_sided: false }
    }

    /// The same for lanes in which steps access memory of peers, or order others.
    pub fn one_sided(self, one_sided: bool) -> Self {
        Self { one_sided, ..self }
    }

    /// The program of `rank`; `completing` are its merges that complete a chunk. A pass does at most
    /// `tile` bytes of a chunk.
    pub fn lower(&self, rank: Rank, completing: &[(u32, u32)], tile: usize) -> Result<Program> {
        let (lane, index) = ((self.lane)(rank)?, rank.index());
        let (own_slots, arena) = self.slots(&lane, index);
        // Tiles are whole lines of cache, which must be whole elements, of one form.
        let layout = self.places.schedule();
        let whole = CACHE_LINE.is_multiple_of(layout.unit()) && !layout.converts();
        let tile = if whole { tile } else { usize::MAX };
        let program = Program::tiled(self.places.largest_chunk(), tile);
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
