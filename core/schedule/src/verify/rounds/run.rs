//! A rank on its way, alone, with what rank 0 says as what all others say.

use super::super::solo::{Solo, Value, moved};
use super::table::{Carried, Message, Table};
use crate::schedule::compact::Packed;
use crate::{Action, ChunkRange, Space};
use std::collections::BTreeMap;

pub(super) struct Run<'t, 'a> {
    pub(super) solo: Solo<'a>,
    table: &'t mut Table,
    /// The merge of all ranks in their order.
    whole: Value,
    /// For each chunk of the output and of scratch: one past the last round in which what was sent from
    /// there is received.
    read: Vec<u32>,
    read_scratch: BTreeMap<u32, u32>,
    /// The messages so far, to and from each distance and channel.
    sent: Vec<u32>,
    received: Vec<u32>,
}

impl<'t, 'a> Run<'t, 'a> {
    pub(super) fn new(solo: Solo<'a>, whole: Value, table: &'t mut Table) -> Self {
        let (params, places) = (solo.params, solo.params.ranks() * table.channels);
        Self {
            solo,
            table,
            whole,
            read: vec![0; params.chunks()],
            read_scratch: BTreeMap::new(),
            sent: vec![0; places],
            received: vec![0; places],
        }
    }

    pub(super) fn step(&mut self, at: u32, round: u32, step: Packed) -> Option<()> {
        match step.action {
            Action::Send => self.send(round, step),
            Action::Recv | Action::RecvReduce => self.receive(at, round, step),
            Action::Copy | Action::Reduce => {
                self.check_read(round, step.chunks())?;
                self.solo.transfer(at, step)
            }
            _ => None,
        }
    }

    /// Sends what rank 0 sends, moved on.
    fn send(&mut self, round: u32, step: Packed) -> Option<()> {
        let (params, rank) = (self.solo.params, self.solo.rank);
        let (place, k) = self.next(true, step)?;
        let first = moved(params, step.first, params.ranks() - rank);
        let message = Message { sent: round, chunks: ChunkRange { first, ..step.chunks() } };
        if self.table.sent[place].get(k) != Some(&message) {
            return None;
        }
        let mut carried = Carried { merged: false, in_order: true };
        for chunk in step.chunks().range() {
            let value = self.solo.get(step.space, chunk)?;
            // The chunk that the message names, but for its buffer.
            let named = value.chunk as usize == chunk % params.chunks();
            let whole = self.is_whole(&value);
            let alike = chunk == step.first as usize || carried.merged == whole;
            if !named || !alike || !whole && !value.holds(&(rank..rank + 1)) {
                return None;
            }
            carried = Carried { merged: whole, in_order: carried.in_order && value.in_order };
        }
        if rank == 0 {
            self.table.carried[place].push(carried);
        } else if self.table.carried[place].get(k) != Some(&carried) {
            return None;
        }
        if step.space != Space::Input {
            let after = self.table.received[place][k] + 1;
            for chunk in step.chunks().range() {
                let read = match step.space {
                    Space::Scratch => self.read_scratch.entry(chunk as u32).or_default(),
                    _ => &mut self.read[chunk],
                };
                *read = after.max(*read);
            }
        }
        Some(())
    }

    /// Whether a value is the merge of all ranks in their order.
    fn is_whole(&self, value: &Value) -> bool {
        let n = self.solo.params.ranks();
        value.is_complete(n) && value.is_moved(&self.whole, 0, n)
    }

    /// The place of a step's message in the table, and its number there.
    fn next(&mut self, sends: bool, step: Packed) -> Option<(usize, usize)> {
        let (n, rank, peer) = (self.solo.params.ranks(), self.solo.rank, step.peer as usize);
        if usize::from(step.channel) >= self.table.channels {
            return None;
        }
        let distance = if sends { peer + n - rank } else { rank + n - peer };
        let place = self.table.place(distance % n, step);
        let next = if sends { &mut self.sent[place] } else { &mut self.received[place] };
        *next += 1;
        Some((place, *next as usize - 1))
    }

    fn receive(&mut self, at: u32, round: u32, step: Packed) -> Option<()> {
        let (params, peer) = (self.solo.params, step.peer as usize);
        let (place, k) = self.next(false, step)?;
        if self.table.received[place].get(k) != Some(&round) {
            return None;
        }
        let Message { chunks, .. } = self.table.sent[place][k];
        // Rank 0 has sent before what it hears of others: a round sends first.
        let &Carried { merged, in_order } = self.table.carried[place].get(k)?;
        if chunks.count != step.count {
            return None;
        }
        self.check_read(round, step.chunks())?;
        let first = moved(params, chunks.first, peer);
        self.solo.note_move(step, (peer, ChunkRange { first, ..chunks }));
        for (named, chunk) in (first..).zip(step.chunks().range()) {
            let named = named % params.chunks() as u32;
            let whole = Value { chunk: named, in_order, ..self.whole };
            let value = if merged { whole } else { Value::leaf(peer, named) };
            self.solo.write(at, step, chunk, value)?;
        }
        Some(())
    }

    /// Whether what was sent from chunks was received in earlier rounds, so that they may be written.
    fn check_read(&self, round: u32, chunks: ChunkRange) -> Option<()> {
        let read = |chunk: usize| match chunks.space {
            Space::Scratch => self.read_scratch.get(&(chunk as u32)).copied().unwrap_or(0),
            _ => self.read[chunk],
        };
        chunks.range().all(|chunk| read(chunk) <= round).then_some(())
    }

    /// Whether it holds merges of operands that were not swapped, if it ends with what the operation
    /// promises and has done all that rank 0 does.
    pub(super) fn finish(&self) -> Option<bool> {
        let results = self.solo.results()?;
        let merged = self.solo.params.operation().reduces();
        let right = results.iter().all(|(_, value)| !merged || self.is_whole(value));
        let sent = self.sent.iter().zip(&self.table.sent).all(|(&k, all)| k as usize == all.len());
        let mut received = self.received.iter().zip(&self.table.received);
        let received = received.all(|(&k, all)| k as usize == all.len());
        let in_order = results.iter().all(|(_, value)| value.in_order);
        (right && sent && received).then_some(in_order)
    }
}
