//! What the steps do.

use super::super::domain::Domain;
use super::super::finding::Finding;
use super::plan::PlanRun;
use super::{At, Done, Machine, Stop, Wait};
use crate::schedule::compact::Packed;
use crate::{ChunkRange, Moves, Operation, Space};

impl<D: Domain> Machine<'_, D> {
    #[inline]
    pub(super) fn send(&mut self, at: At, own: usize, step: Packed) -> Done {
        let id = self.channels.id(own, step.peer as usize, step.channel, false);
        if self.depth.is_some_and(|depth| self.channels.get(id).queued >= depth) {
            return Ok(Some(Wait::Room(id)));
        }
        let chunks = step.chunks();
        if D::FOLLOWED {
            self.check_known(at, own, chunks)?;
        }
        let slot = self.channels.push(id, at, chunks, self.copies_all);
        if D::FOLLOWED && self.copies_all {
            self.staged[own].push(at.step as u32);
            self.copy_aside(slot, own, chunks);
        } else if D::FOLLOWED {
            self.memory.pin(own, chunks);
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.access(own, chunks, false);
            clocks.send(slot);
        }
        self.totals.messages += 1;
        self.wake(step.peer, Wait::Message(id));
        Ok(None)
    }

    #[inline]
    pub(super) fn receive(&mut self, at: At, own: usize, step: Packed) -> Done {
        let from = step.peer as usize;
        let id = self.channels.id(from, own, step.channel, false);
        let Some((slot, message)) = self.channels.front(id) else {
            return Ok(Some(Wait::Message(id)));
        };
        let (sent, chunks) = (message.chunks, step.chunks());
        if sent.count != chunks.count {
            let cells = self.plan.as_ref().map_or(1, PlanRun::cells);
            let sender = (self.place(message.sent)?, [sent, chunks].map(|c| c.count / cells));
            let (place, sender) = (self.place(at)?, Some(sender));
            return Err(Finding::Chunks { place, source: sent, sender }.into());
        }
        if D::FOLLOWED && self.memory.pinned(own, chunks) {
            return Ok(Some(Wait::Readers));
        }
        self.channels.pop(id);
        self.note_move((from, sent), (own, chunks));
        if let Some(clocks) = &mut self.clocks {
            clocks.receive(slot);
            clocks.access(own, chunks, true);
        }
        if D::FOLLOWED && message.copied {
            let values = std::mem::take(&mut self.copies[slot as usize]);
            for (value, chunk) in values.into_iter().zip(chunks.range()) {
                let value = value.map(|value| self.domain.travelled(value));
                self.write(at, step, (own, chunk), value)?;
            }
        } else if D::FOLLOWED {
            self.move_values(at, step, (from, sent), own)?;
            self.memory.unpin(from, sent);
            self.wake(step.peer, Wait::Readers);
        }
        self.wake(step.peer, Wait::Room(id));
        Ok(None)
    }

    /// Moves chunks of rank `from` to chunks of rank `to`.
    pub(super) fn transfer(&mut self, at: At, step: Packed, from: usize, to: usize) -> Done {
        let (source, target) = (step.sources(), step.chunks());
        if D::FOLLOWED && to == at.lane && self.memory.pinned(to, target) {
            return Ok(Some(Wait::Readers));
        }
        let packets = [source, target].map(|chunks| self.packets(chunks));
        if packets != [false, false]
            && let Some(wait) = self.begin_packets(at, step, (from, to))?
        {
            return Ok(Some(wait));
        }
        self.note_move((from, source), (to, target));
        if let Some(clocks) = &mut self.clocks {
            if packets[0] && !clocks.ported() {
                clocks.take(from, source, self.plan.as_ref().is_some_and(PlanRun::fenced));
            } else {
                clocks.access(from, source, false);
            }
            if packets[1] {
                clocks.fill(to, target);
            } else {
                clocks.access(to, target, true);
            }
        }
        if D::FOLLOWED {
            self.check_known(at, from, source)?;
            self.move_values(at, step, (from, source), to)?;
        }
        if packets[1] {
            target.range().for_each(|chunk| self.wake(0, Wait::Packet(to as u32, chunk as u32)));
        }
        Ok(None)
    }

    pub(super) fn signal(&mut self, at: At, step: Packed) -> Option<Wait> {
        let id = self.channels.id(at.lane, step.peer as usize, step.channel, true);
        let slot = self.channels.push(id, at, step.chunks(), true);
        if let Some(clocks) = &mut self.clocks {
            clocks.send(slot);
        }
        self.totals.signals += 1;
        self.wake(step.peer, Wait::Message(id));
        None
    }

    pub(super) fn wait(&mut self, at: At, step: Packed) -> Option<Wait> {
        let id = self.channels.id(step.peer as usize, at.lane, step.channel, true);
        let Some((slot, _)) = self.channels.front(id) else { return Some(Wait::Message(id)) };
        self.channels.pop(id);
        if let Some(clocks) = &mut self.clocks {
            clocks.receive(slot);
        }
        None
    }

    /// Waits at the barrier; the last rank of the group lets all of them pass.
    pub(super) fn barrier(&mut self, at: At) -> Option<Wait> {
        self.arrived += 1;
        self.totals.signals += 1;
        if self.arrived < self.params.ranks() {
            return Some(Wait::Barrier(0));
        }
        self.arrived = 0;
        if let Some(clocks) = &mut self.clocks {
            clocks.barrier(0..self.params.ranks());
        }
        for lane in (0..self.params.ranks()).filter(|&lane| lane != at.lane) {
            self.pass(At { lane, step: self.lanes[lane].position as usize });
            self.wake(lane as u32, Wait::Barrier(0));
        }
        None
    }

    /// Keeps what a message carries, so that its chunks may be written.
    pub(super) fn copy_aside(&mut self, slot: u32, rank: usize, chunks: ChunkRange) {
        let values = chunks.range().map(|chunk| self.read(rank, chunks.space, chunk)).collect();
        if self.copies.len() <= slot as usize {
            self.copies.resize(slot as usize + 1, Vec::new());
        }
        self.copies[slot as usize] = values;
    }

    #[inline]
    fn check_known(&mut self, at: At, rank: usize, chunks: ChunkRange) -> Result<(), Stop> {
        if chunks.space == Space::Input {
            return Ok(());
        }
        let unknown = |&chunk: &usize| self.memory.get(rank, chunks.space, chunk).is_none();
        match chunks.range().find(unknown) {
            None => Ok(()),
            Some(chunk) => self.read_early(at, (rank, chunks.space, chunk)),
        }
    }

    /// The value of a chunk, if it is written.
    #[inline]
    fn read(&mut self, rank: usize, space: Space, chunk: usize) -> Option<D::Value> {
        if space == Space::Input {
            return Some(self.domain.leaf(rank, chunk));
        }
        self.memory.get(rank, space, chunk).cloned()
    }

    #[inline]
    fn move_values(
        &mut self,
        at: At,
        step: Packed,
        (from, source): (usize, ChunkRange),
        to: usize,
    ) -> Result<(), Stop> {
        for (chunk, target) in source.range().zip(step.chunks().range()) {
            let mut value = self.read(from, source.space, chunk);
            if from != to {
                value = value.map(|value| self.domain.travelled(value));
            }
            self.write(at, step, (to, target), value)?;
        }
        Ok(())
    }

    #[inline]
    fn write(
        &mut self,
        at: At,
        step: Packed,
        (rank, chunk): (usize, usize),
        mut value: Option<D::Value>,
    ) -> Result<(), Stop> {
        let (cell, merges) = (self.memory.cell(rank, step.space, chunk), step.step().merges());
        if merges {
            let Some(own) = &*cell else {
                return self.read_early(at, (rank, step.space, chunk));
            };
            value = Some(match &value {
                Some(value) if step.left => self.domain.merge(value, own),
                Some(value) => self.domain.merge(own, value),
                None => own.clone(),
            });
        }
        if let Some(value) = &mut value {
            self.domain.wrote(at, merges, (rank, step.space, chunk), value);
        }
        *cell = value;
        Ok(())
    }

    /// A step reads a chunk without a value. The run of a plan goes on: a write that races with the
    /// read says more.
    fn read_early(
        &mut self,
        at: At,
        (rank, space, chunk): (usize, Space, usize),
    ) -> Result<(), Stop> {
        let place = self.place(at)?;
        let name = self.located.name_of(rank, space, chunk);
        let finding = Finding::Uninitialised { place, chunk, name };
        match &mut self.plan {
            None => Err(finding.into()),
            Some(plan) => {
                plan.early.get_or_insert(finding);
                Ok(())
            }
        }
    }

    #[inline]
    fn note_move(&mut self, from: (usize, ChunkRange), to: (usize, ChunkRange)) {
        if from.1.first == to.1.first && self.params.operation() != Operation::AllToAll {
            return;
        }
        let moves = Moves::between(self.params, from, to);
        self.totals.moves = self.totals.moves.max(moves);
    }
}
