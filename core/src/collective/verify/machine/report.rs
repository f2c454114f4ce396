//! What a run of the abstract machine shows: whether it finished, and what it holds.

use super::super::domain::{Domain, Forms};
use super::super::finding::{Blocked, Finding, Place};
use super::{At, Machine, Stop, Wait};
use crate::collective::Moves;
use crate::collective::transport::Capabilities;

impl<D: Domain> Machine<'_, D> {
    pub(super) fn check_finished(&mut self) -> Result<(), Stop> {
        if let Some(rank) = (0..self.lanes.len()).find(|&r| self.lanes[r].wait.is_some()) {
            return Err(Finding::Deadlock { cycle: self.cycle(rank)? }.into());
        }
        let Some(channel) = self.channels.iter().find(|c| !c.messages.is_empty()) else {
            return Ok(());
        };
        let at = channel.messages[0].0;
        let place = self.place(at)?;
        Err(Finding::Leftover { place }.into())
    }

    /// The ranks that wait for each other, found from a blocked one.
    fn cycle(&mut self, from: usize) -> Result<Vec<Blocked>, Stop> {
        let mut path: Vec<usize> = Vec::new();
        let mut blocked = Vec::new();
        let mut rank = from;
        while let Some(wait) = self.lanes[rank].wait {
            if let Some(start) = path.iter().position(|&r| r == rank) {
                return Ok(blocked.split_off(start));
            }
            let peer = match wait {
                Wait::Message(channel) => self.channels[channel as usize].from,
                Wait::Room(channel) | Wait::Read(channel, _) => self.channels[channel as usize].to,
                Wait::Barrier => self.absent(),
            } as usize;
            let step = self.lanes[rank].position - usize::from(wait == Wait::Barrier);
            let place = self.place(At { rank, step })?;
            let peer_finished = self.lanes[peer].wait.is_none();
            path.push(rank);
            blocked.push(Blocked { place, peer, peer_finished });
            rank = peer;
        }
        Ok(blocked.split_off(blocked.len().saturating_sub(1)))
    }

    /// A rank that is not at the barrier where others wait.
    fn absent(&self) -> u32 {
        let absent = self.lanes.iter().position(|lane| lane.wait != Some(Wait::Barrier));
        absent.expect("a barrier with every rank is passed") as u32
    }

    fn place(&self, at: At) -> Result<Place, Stop> {
        let rank = self.params.rank(at.rank);
        let generated = (self.source)(rank, at.step..at.step + 1, Vec::new())?;
        let step = generated.steps.first().copied();
        step.map(|step| Place::new(at, step))
            .ok_or_else(|| Finding::Impure { rank: at.rank }.into())
    }

    /// After a deadlock: the sends whose readers the blocked ranks wait for.
    pub(in crate::collective::verify) fn unread_sends(&self) -> Vec<(usize, u32)> {
        let mut sends = Vec::new();
        for (rank, lane) in self.lanes.iter().enumerate() {
            if let Some(Wait::Read(channel, ordinal)) = lane.wait {
                let of_wait = lane.unread.iter().filter(|u| u.2 == channel && u.3 == ordinal);
                sends.extend(of_wait.map(|u| (rank, u.0.step as u32)));
            }
        }
        sends
    }

    pub(in crate::collective::verify) fn most_queued(&self) -> usize {
        self.channels.iter().filter(|c| !c.signals).map(|c| c.most).max().unwrap_or(0)
    }

    pub(in crate::collective::verify) fn messages(&self) -> u64 {
        self.channels.iter().filter(|c| !c.signals).map(|c| c.sent).sum()
    }

    /// The most scratch chunks of one rank.
    pub(in crate::collective::verify) fn scratch_chunks(&self) -> usize {
        let mut counts = vec![0; self.params.ranks()];
        for (rank, _) in self.scratch.keys() {
            counts[*rank as usize] += 1;
        }
        counts.into_iter().max().unwrap_or(0)
    }

    /// One past the last scratch chunk that any rank names.
    pub(in crate::collective::verify) fn scratch_extent(&self) -> usize {
        self.scratch.keys().map(|(_, chunk)| *chunk as usize + 1).max().unwrap_or(0)
    }

    pub(in crate::collective::verify) fn needs(&self) -> Capabilities {
        self.needs
    }

    pub(in crate::collective::verify) fn signals(&self) -> u64 {
        let sent: u64 = self.channels.iter().filter(|c| c.signals).map(|c| c.sent).sum();
        sent + self.barriers * self.lanes.len() as u64
    }

    pub(in crate::collective::verify) fn moves(&self) -> Moves {
        self.moves
    }

    pub(in crate::collective::verify) fn output(
        &self,
        rank: usize,
        chunk: usize,
    ) -> Option<&D::Value> {
        self.output[rank * self.params.chunks() + chunk].as_ref()
    }

    pub(in crate::collective::verify) fn domain(self) -> D {
        self.domain
    }
}

impl Machine<'_, Forms> {
    /// The first rank and chunk that does not hold what the operation promises.
    pub(in crate::collective::verify) fn first_wrong(&self) -> Option<(usize, usize)> {
        let chunks = self.params.chunks();
        let right =
            |i: usize, value: &Option<_>| self.domain.right(i / chunks, i % chunks, value.as_ref());
        let wrong = self.output.iter().enumerate().find(|(i, value)| !right(*i, value))?.0;
        Some((wrong / chunks, wrong % chunks))
    }

    /// What the run found, with the merge trees of the outputs.
    pub(in crate::collective::verify) fn into_forms(self) -> Forms {
        let mut forms = self.domain;
        forms.orders = self.output.iter().map(|v| v.as_ref().map(|v| v.order)).collect();
        forms
    }
}
