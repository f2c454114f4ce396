//! What a run of the abstract machine shows: whether it finished, and what it holds.

use super::super::domain::{Domain, Forms};
use super::super::finding::{Blocked, Finding, Place};
use super::{At, Clocks, Machine, Stop, Wait};

impl<D: Domain> Machine<'_, D> {
    pub(super) fn check_finished(&self) -> Result<(), Stop> {
        if let Some(lane) = (0..self.lanes.len()).find(|&l| self.lanes[l].wait.is_some()) {
            let cycle = match &self.plan {
                None => self.cycle(lane)?,
                Some(_) => self.cycle_of_lanes(lane)?,
            };
            return Err(Finding::Deadlock { cycle, uneven: None }.into());
        }
        let sent = self.channels.in_flight().map(|(_, message)| message.sent).min();
        match sent.or_else(|| self.unheard_signal()) {
            Some(at) => Err(Finding::Leftover { place: self.place(at)?, uneven: None }.into()),
            None => Ok(()),
        }
    }

    /// The ranks that wait for each other, found from a blocked one.
    fn cycle(&self, from: usize) -> Result<Vec<Blocked>, Stop> {
        let mut path: Vec<usize> = Vec::new();
        let mut blocked = Vec::new();
        let mut rank = from;
        while let Some(wait) = self.lanes[rank].wait {
            if let Some(start) = path.iter().position(|&r| r == rank) {
                return Ok(blocked.split_off(start));
            }
            let peer = self.awaited(rank, wait);
            let place = self.place(At { lane: rank, step: self.lanes[rank].position as usize })?;
            let never = self.lanes[peer].wait.is_none();
            let finished = if never { ", which has finished" } else { "" };
            path.push(rank);
            blocked.push(Blocked { place, waits_for: format!("rank {peer}{finished}"), never });
            rank = peer;
        }
        Ok(blocked.split_off(blocked.len().saturating_sub(1)))
    }

    /// The rank that a blocked one waits for.
    fn awaited(&self, rank: usize, wait: Wait) -> usize {
        match wait {
            Wait::Message(channel) => self.channels.get(channel).from as usize,
            Wait::Room(channel) => self.channels.get(channel).to as usize,
            // Of the readers, the first; of the group, one that is not at the barrier.
            Wait::Readers => {
                let of_rank = |channel: u32| self.channels.get(channel).from as usize == rank;
                let mut sent = self.channels.in_flight();
                let reader = sent.find(|(_, message)| of_rank(message.channel));
                reader.map_or(rank, |(_, m)| self.channels.get(m.channel).to as usize)
            }
            Wait::Barrier(_) => {
                let absent = |lane: &super::Cursor| lane.wait != Some(wait);
                self.lanes.iter().position(absent).unwrap_or(rank)
            }
            Wait::Packet(..) | Wait::Semaphore(_) | Wait::Done(..) => {
                unreachable!("what only plans have")
            }
        }
    }

    pub(super) fn place(&self, at: At) -> Result<Place, Stop> {
        self.located.place(at)
    }

    /// The smallest depth of channels that this run shows to work, if it shows one.
    pub(in crate::verify) fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// Takes the sends that leave a copy, for each rank, ascending.
    pub(in crate::verify) fn take_staged(&mut self) -> Vec<Vec<u32>> {
        let mut staged = std::mem::take(&mut self.staged);
        staged.iter_mut().for_each(|sends| sends.sort_unstable());
        staged
    }

    /// The most scratch chunks of one rank, and one past the last one that any rank writes.
    pub(in crate::verify) fn scratch_chunks(&self) -> (usize, usize) {
        let used = |rank| {
            let scratch = self.memory.scratch(rank);
            (scratch.iter().filter(|value| D::known(value)).count(), scratch.len())
        };
        (0..self.params.ranks()).map(used).fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
    }

    /// The outputs of a rank.
    pub(in crate::verify) fn outputs(&self, rank: usize) -> &[D::Value] {
        self.memory.row(rank)
    }

    /// The first read of a chunk without a value, in a plan.
    pub(in crate::verify) fn take_early(&mut self) -> Option<Finding> {
        self.plan.as_mut().and_then(|plan| plan.early.take())
    }

    pub(in crate::verify) fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }
}

impl Machine<'_, Forms> {
    /// The first rank and chunk that does not hold what the operation promises.
    pub(in crate::verify) fn first_wrong(&self) -> Option<(usize, usize)> {
        (0..self.params.ranks()).find_map(|rank| {
            let mut outputs = self.outputs(rank).iter().enumerate();
            let wrong = outputs.find(|(chunk, value)| !self.domain.right(rank, *chunk, value));
            wrong.map(|(chunk, _)| (rank, chunk))
        })
    }
}
