//! Happens-before: which accesses of a chunk are ordered, by vector clocks.

use super::At;
use crate::{ChunkRange, Params, Space};
use std::collections::HashMap;
use std::rc::Rc;

/// The most ranks whose steps are ordered this way: a clock for each, with a time for each.
pub(in crate::verify) const CLOCKS: usize = 1 << 12;

/// What a rank has heard of when it signals, with its own time.
#[derive(Clone)]
pub(super) struct Stamp {
    rank: u32,
    time: u32,
    clock: Rc<[u32]>,
}

/// For each rank, how many steps of each other rank are known to be done.
pub(in crate::verify) struct Clocks {
    ranks: usize,
    chunks: usize,
    clock: Vec<u32>,
    /// Of each rank, its clock as last sent, until it hears more.
    sent: Vec<Option<Rc<[u32]>>>,
    /// What messages in flight carry, by number.
    stamps: Vec<Option<Stamp>>,
    cells: Vec<Cell>,
    scratch: HashMap<(usize, usize), Cell>,
    /// For each rank, how far each other rank was when it last accessed memory of the rank.
    accesses: Vec<u32>,
    /// The first pair of accesses without an order.
    pub(in crate::verify) conflict: Option<Conflict>,
}

/// Two accesses of a chunk that no signal orders, one of them a write.
#[derive(Clone, Copy)]
pub(in crate::verify) struct Conflict {
    pub(in crate::verify) owner: usize,
    pub(in crate::verify) chunks: ChunkRange,
    pub(in crate::verify) first: At,
    pub(in crate::verify) second: At,
}

/// The accesses of a chunk since its last write: rank and time, which is the step plus one.
#[derive(Clone, Default)]
struct Cell {
    written: Option<(u32, u32)>,
    reads: Vec<(u32, u32)>,
}

impl Clocks {
    pub(super) fn new(params: &Params) -> Self {
        let (ranks, chunks) = (params.ranks(), params.chunks());
        Self {
            ranks,
            chunks,
            clock: vec![0; ranks * ranks],
            sent: vec![None; ranks],
            stamps: Vec::new(),
            cells: vec![Cell::default(); ranks * chunks],
            scratch: HashMap::new(),
            accesses: vec![0; ranks * ranks],
            conflict: None,
        }
    }

    fn row(&mut self, rank: usize) -> &mut [u32] {
        &mut self.clock[rank * self.ranks..(rank + 1) * self.ranks]
    }

    /// `at.rank` begins a step.
    pub(super) fn begin(&mut self, at: At) {
        self.row(at.rank)[at.rank] = at.step as u32 + 1;
    }

    /// Notes a read or write of chunks of `owner` by `at.rank`.
    pub(super) fn access(&mut self, at: At, owner: usize, chunks: ChunkRange, writes: bool) {
        let time = at.step as u32 + 1;
        if owner != at.rank {
            self.accesses[owner * self.ranks + at.rank] = time;
        }
        if chunks.space == Space::Input {
            return;
        }
        let clock = &self.clock[at.rank * self.ranks..(at.rank + 1) * self.ranks];
        for chunk in chunks.range() {
            let cell = match chunks.space {
                Space::Scratch => self.scratch.entry((owner, chunk)).or_default(),
                _ => &mut self.cells[owner * self.chunks + chunk],
            };
            if let Some((rank, time)) = cell.record(at.rank as u32, time, writes, clock) {
                let first = At { rank: rank as usize, step: time as usize - 1 };
                let chunks = ChunkRange { first: chunk as u32, count: 1, ..chunks };
                let conflict = Conflict { owner, chunks, first, second: at };
                self.conflict.get_or_insert(conflict);
            }
        }
    }

    /// Message number `slot` tells what `rank` knows.
    pub(super) fn send(&mut self, slot: u32, at: At) {
        let row = at.rank * self.ranks..(at.rank + 1) * self.ranks;
        let clock = self.sent[at.rank].get_or_insert_with(|| Rc::from(&self.clock[row]));
        let stamp =
            Stamp { rank: at.rank as u32, time: at.step as u32 + 1, clock: Rc::clone(clock) };
        if self.stamps.len() <= slot as usize {
            self.stamps.resize(slot as usize + 1, None);
        }
        self.stamps[slot as usize] = Some(stamp);
    }

    /// `rank` hears what message number `slot` tells.
    pub(super) fn receive(&mut self, slot: u32, rank: usize) {
        let Some(stamp) = self.stamps[slot as usize].take() else { return };
        self.sent[rank] = None;
        let row = self.row(rank);
        for (own, heard) in row.iter_mut().zip(stamp.clock.iter()) {
            *own = (*own).max(*heard);
        }
        let of_sender = &mut row[stamp.rank as usize];
        *of_sender = (*of_sender).max(stamp.time);
    }

    /// Every rank hears of all steps before the barrier.
    pub(super) fn barrier(&mut self) {
        let mut all = vec![0; self.ranks];
        for row in self.clock.chunks(self.ranks) {
            all.iter_mut().zip(row).for_each(|(all, time)| *all = (*all).max(*time));
        }
        self.clock.chunks_mut(self.ranks).for_each(|row| row.copy_from_slice(&all));
        self.sent.fill(None);
    }

    /// A rank that can end before a peer has made its last access to the rank's memory, with it.
    pub(in crate::verify) fn incomplete(&self) -> Option<(usize, At)> {
        let unheard = |&i: &usize| self.clock[i] < self.accesses[i];
        let i = (0..self.clock.len()).find(unheard)?;
        let at = At { rank: i % self.ranks, step: self.accesses[i] as usize - 1 };
        Some((i / self.ranks, at))
    }

    /// Two ranks, the first of which can end before the second has begun.
    pub(in crate::verify) fn unheard(&self) -> Option<(usize, usize)> {
        let n = self.ranks;
        let unheard = |&i: &usize| self.clock[i] == 0 && i / n != i % n;
        (0..n * n).find(unheard).map(|i| (i / n, i % n))
    }
}

impl Cell {
    /// Notes an access by `rank` at `time`; an earlier one by another rank that `clock`, what
    /// `rank` knows, has no order with.
    fn record(&mut self, rank: u32, time: u32, writes: bool, clock: &[u32]) -> Option<(u32, u32)> {
        let unordered = |&(r, t): &(u32, u32)| r != rank && clock[r as usize] < t;
        let conflict = self.written.filter(unordered);
        if !writes {
            match self.reads.iter_mut().find(|(r, _)| *r == rank) {
                Some(read) => read.1 = time,
                None => self.reads.push((rank, time)),
            }
            return conflict;
        }
        let conflict = conflict.or_else(|| self.reads.iter().copied().find(unordered));
        self.written = Some((rank, time));
        self.reads.clear();
        conflict
    }
}
