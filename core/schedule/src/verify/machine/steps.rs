//! What the steps do.

use super::super::domain::Domain;
use super::super::finding::Finding;
use super::{At, Machine, Rules, Stop, Wait};
use crate::schedule::tape::Packed;
use crate::{Action, ChunkRange, Moves, Operation, Space};

impl<D: Domain> Machine<'_, D> {
    #[inline]
    pub(super) fn send(&mut self, at: At, step: Packed) -> Result<Option<Wait>, Stop> {
        let id = self.channels.id(at.rank, step.peer as usize, step.channel(), false);
        if self.depth.is_some_and(|depth| self.channels.get(id).queued >= depth) {
            return Ok(Some(Wait::Room(id)));
        }
        let chunks = step.chunks();
        if D::FOLLOWED {
            self.check_known(at, at.rank, chunks)?;
        }
        let slot = self.channels.push(id, at.step as u32, chunks, self.copies_all);
        if self.copies_all && D::FOLLOWED {
            self.staged[at.rank].push(at.step as u32);
            self.copy_aside(slot, at.rank, chunks);
        } else if self.rules == Rules::InPlace {
            self.memory.pin(at.rank, chunks);
        }
        if let Some(clocks) = &mut self.clocks {
            clocks.access(at, at.rank, chunks, false);
            clocks.send(slot, at);
        }
        self.totals.messages += 1;
        self.wake(step.peer, Wait::Message(id));
        Ok(None)
    }

    #[inline]
    pub(super) fn receive(&mut self, at: At, step: Packed) -> Result<Option<Wait>, Stop> {
        let from = step.peer as usize;
        let id = self.channels.id(from, at.rank, step.channel(), false);
        let Some((slot, message)) = self.channels.front(id) else {
            return Ok(Some(Wait::Message(id)));
        };
        let (sent, chunks) = (message.chunks, step.chunks());
        if sent.count != chunks.count {
            return Err(Finding::Chunks { place: self.place(at)?, source: sent }.into());
        }
        let in_place = self.rules == Rules::InPlace;
        if in_place && self.memory.pinned(at.rank, chunks) {
            return Ok(Some(Wait::Readers));
        }
        self.channels.pop(id);
        self.note_move((from, sent), (at.rank, chunks));
        if let Some(clocks) = &mut self.clocks {
            clocks.receive(slot, at.rank);
            clocks.access(at, at.rank, chunks, true);
        }
        if D::FOLLOWED && message.copied {
            let values = std::mem::take(&mut self.copies[slot as usize]);
            for (value, chunk) in values.into_iter().zip(chunks.range()) {
                let value = self.domain.travelled(value);
                self.write(at, step, (at.rank, chunk), value)?;
            }
        } else {
            if D::FOLLOWED {
                self.move_values(at, step, (from, sent), at.rank)?;
            }
            if in_place && !message.copied {
                self.memory.unpin(from, sent);
                self.wake(step.peer, Wait::Readers);
            }
        }
        self.wake(step.peer, Wait::Room(id));
        Ok(None)
    }

    /// Moves chunks of rank `from` to chunks of rank `to`.
    pub(super) fn transfer(
        &mut self,
        at: At,
        step: Packed,
        from: usize,
        to: usize,
    ) -> Result<Option<Wait>, Stop> {
        let (source, target) = (step.sources(), step.chunks());
        let in_place = self.rules == Rules::InPlace;
        if in_place && to == at.rank && self.memory.pinned(to, target) {
            return Ok(Some(Wait::Readers));
        }
        self.note_move((from, source), (to, target));
        if let Some(clocks) = &mut self.clocks {
            clocks.access(at, from, source, false);
            clocks.access(at, to, target, true);
        }
        if D::FOLLOWED {
            self.check_known(at, from, source)?;
            self.move_values(at, step, (from, source), to)?;
        }
        Ok(None)
    }

    pub(super) fn signal(&mut self, at: At, step: Packed) -> Option<Wait> {
        let id = self.channels.id(at.rank, step.peer as usize, step.channel(), true);
        let slot = self.channels.push(id, at.step as u32, step.chunks(), true);
        if let Some(clocks) = &mut self.clocks {
            clocks.send(slot, at);
        }
        self.totals.signals += 1;
        self.wake(step.peer, Wait::Message(id));
        None
    }

    pub(super) fn wait(&mut self, at: At, step: Packed) -> Option<Wait> {
        let id = self.channels.id(step.peer as usize, at.rank, step.channel(), true);
        let Some((slot, _)) = self.channels.front(id) else { return Some(Wait::Message(id)) };
        self.channels.pop(id);
        if let Some(clocks) = &mut self.clocks {
            clocks.receive(slot, at.rank);
        }
        None
    }

    /// Waits at the barrier; the last rank of the group lets all of them pass.
    pub(super) fn barrier(&mut self, at: At) -> Option<Wait> {
        self.arrived += 1;
        self.totals.signals += 1;
        if self.arrived < self.params.ranks() {
            return Some(Wait::Barrier);
        }
        self.arrived = 0;
        if let Some(clocks) = &mut self.clocks {
            clocks.barrier();
        }
        for rank in (0..self.params.ranks()).filter(|&rank| rank != at.rank) {
            let lane = &mut self.lanes[rank];
            lane.reader.advance(self.tapes);
            lane.position += 1;
            self.wake(rank as u32, Wait::Barrier);
        }
        None
    }

    /// Keeps what a message carries, so that its chunks may be written.
    pub(super) fn copy_aside(&mut self, slot: u32, rank: usize, chunks: ChunkRange) {
        let read = |chunk| self.read(rank, chunks.space, chunk).unwrap_or_else(D::none);
        let values: Vec<_> = chunks.range().map(read).collect();
        if self.copies.len() <= slot as usize {
            self.copies.resize(slot as usize + 1, Vec::new());
        }
        self.copies[slot as usize] = values;
    }

    #[inline]
    fn check_known(&self, at: At, rank: usize, chunks: ChunkRange) -> Result<(), Stop> {
        if self.memory.is_input(chunks.space) {
            return Ok(());
        }
        let unknown = |&chunk: &usize| {
            !self.memory.get(rank, chunks.space, chunk).is_some_and(|value| D::known(value))
        };
        match chunks.range().find(unknown) {
            None => Ok(()),
            Some(chunk) => Err(Finding::Uninitialised { place: self.place(at)?, chunk }.into()),
        }
    }

    /// The value of a chunk that is known to be written.
    #[inline]
    fn read(&mut self, rank: usize, space: Space, chunk: usize) -> Option<D::Value> {
        if self.memory.is_input(space) {
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
            let mut value = self.read(from, source.space, chunk).unwrap_or_else(D::none);
            if from != to {
                value = self.domain.travelled(value);
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
        mut value: D::Value,
    ) -> Result<(), Stop> {
        let merges =
            matches!(step.action(), Action::RecvReduce | Action::Reduce | Action::GetReduce);
        let cell = self.memory.cell::<D>(rank, step.space(), chunk);
        if merges {
            if !D::known(cell) {
                return Err(Finding::Uninitialised { place: self.place(at)?, chunk }.into());
            }
            value = match step.left() {
                true => self.domain.merge(&value, cell),
                false => self.domain.merge(cell, &value),
            };
        }
        self.domain.wrote(at, merges, rank, chunk, &value);
        *cell = value;
        Ok(())
    }

    /// Notes which chunks a move connects.
    #[inline]
    fn note_move(&mut self, from: (usize, ChunkRange), to: (usize, ChunkRange)) {
        if from.1.first == to.1.first && self.params.operation() != Operation::AllToAll {
            return;
        }
        let moves = self.classify_move(from, to);
        self.totals.moves = self.totals.moves.max(moves);
    }

    fn classify_move(&self, from: (usize, ChunkRange), to: (usize, ChunkRange)) -> Moves {
        let (chunks, segments) = (self.params.chunks(), self.params.segments());
        let (source, target) = (from.1.first as usize, to.1.first as usize);
        let same = if self.params.operation() == Operation::AllToAll {
            let home = |end| self.home(end);
            home(from).is_some_and(|source| home(to) == Some(source))
        } else {
            source % chunks == target % chunks
        };
        match (same, source % segments == target % segments) {
            (true, _) => Moves::SameChunk,
            (false, true) => Moves::SameSegment,
            (false, false) => Moves::Any,
        }
    }

    /// In an all-to-all: where the chunks come from, as rank and chunk of its input, if they are
    /// in a place of the operation.
    fn home(&self, (rank, chunks): (usize, ChunkRange)) -> Option<(usize, usize)> {
        let (first, segments) = (chunks.first as usize, self.params.segments());
        match chunks.space {
            Space::Input => Some((rank, first)),
            Space::Output if chunks.count as usize <= segments => {
                Some((first / segments, rank * segments + first % segments))
            }
            _ => None,
        }
    }
}
