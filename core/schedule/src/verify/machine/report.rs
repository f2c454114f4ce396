//! What a run of the abstract machine shows: whether it finished, and what it holds.

use super::super::domain::{Domain, Forms};
use super::super::finding::{Blocked, Finding, Place};
use super::{At, Machine, Stop, Wait};

impl<D: Domain> Machine<'_, D> {
    pub(super) fn check_finished(&self) -> Result<(), Stop> {
        if let Some(lane) = (0..self.lanes.len()).find(|&l| self.lanes[l].wait.is_some()) {
            return Err(Finding::Deadlock { cycle: self.cycle(lane)?, uneven: None }.into());
        }
        let sent = self.channels.in_flight().map(|(_, message)| message.sent).min();
        match sent.or_else(|| self.unheard_signal()) {
            Some(at) => Err(Finding::Leftover { place: self.place(at)?, uneven: None }.into()),
            None => Ok(()),
        }
    }

    /// The lanes that wait for each other, found from a blocked one; of ranks that wait for one that has
    /// finished, the last.
    fn cycle(&self, from: usize) -> Result<Vec<Blocked>, Stop> {
        let mut path: Vec<usize> = Vec::new();
        let mut next = Some(from);
        while let Some(lane) = next {
            if let Some(start) = path.iter().position(|&l| l == lane) {
                path.drain(..start);
                break;
            }
            path.push(lane);
            next = self.lanes[lane].wait.and_then(|wait| self.provider(lane, wait));
        }
        if self.plan.is_none() && next.is_none() {
            path.drain(..path.len() - 1);
        }
        path.into_iter().map(|lane| self.blocked(lane)).collect()
    }

    fn blocked(&self, lane: usize) -> Result<Blocked, Stop> {
        let wait = self.lanes[lane].wait.expect("a lane that waits");
        let never = self.provider(lane, wait).is_none();
        let waits_for = match (&self.plan, never) {
            (None, false) => format!("rank {}", self.awaited(lane, wait)),
            (None, true) => format!("rank {}, which has finished", self.awaited(lane, wait)),
            (Some(_), false) => self.describe(lane, wait),
            (Some(_), true) => self.describe(lane, wait) + ": never",
        };
        let place = self.place(At { lane, step: self.lanes[lane].position as usize })?;
        Ok(Blocked { place, waits_for, never })
    }

    /// The lane, itself blocked, that would still do what one waits for.
    fn provider(&self, lane: usize, wait: Wait) -> Option<usize> {
        match self.plan {
            None => Some(self.awaited(lane, wait)).filter(|&peer| self.lanes[peer].wait.is_some()),
            Some(_) => self.provider_in_plan(lane, wait),
        }
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
            (scratch.iter().flatten().count(), scratch.len())
        };
        (0..self.params.ranks()).map(used).fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)))
    }

    pub(in crate::verify) fn outputs(&self, rank: usize) -> &[Option<D::Value>] {
        self.memory.row(rank)
    }

    /// The first read of a chunk without a value, in a plan.
    pub(in crate::verify) fn take_early(&mut self) -> Option<Finding> {
        self.plan.as_mut().and_then(|plan| plan.early.take())
    }
}

impl Machine<'_, Forms> {
    /// The first rank and chunk that does not hold what the operation promises.
    pub(in crate::verify) fn first_wrong(&self) -> Option<(usize, usize)> {
        (0..self.params.ranks()).find_map(|rank| {
            let right = |chunk| self.domain.right(rank, chunk, self.outputs(rank)[chunk].as_ref());
            let wrong = (0..self.params.chunks()).find(|&chunk| !right(chunk))?;
            Some((rank, wrong))
        })
    }
}
