//! Happens-before: which accesses of a chunk are ordered, by vector clocks.
//!
//! An agent is a lane, or one of the two ends of a port channel's work for a lane: its reads, and its
//! writes, which others see later.

mod clock;

pub(in crate::verify) use clock::Clock;

use super::{At, Located, Stop};
use crate::verify::finding::Finding;
use crate::{ChunkRange, Space};
use clock::{Event, raise};
use std::collections::HashMap;
use std::rc::Rc;

/// The clocks of all agents, and who accessed what.
pub(in crate::verify) struct Clocks {
    ranks: usize,
    chunks: usize,
    lanes: usize,
    clocks: Vec<Clock>,
    /// Who reads and who writes in the step that is done.
    reader: usize,
    writer: usize,
    /// Of each pair of port agents, the steps that it did.
    ported: Vec<Vec<At>>,
    /// What messages in flight carry, by number.
    stamps: Vec<Option<Clock>>,
    cells: Vec<Cell>,
    scratch: HashMap<(usize, usize), Cell>,
    /// What full packets carry.
    packets: HashMap<(usize, usize), Clock>,
    /// For each rank, how far the lane of each other rank was when it last accessed its memory; of a
    /// plan nothing.
    accesses: Vec<u32>,
    /// The first pair of accesses without an order.
    pub(in crate::verify) conflict: Option<Conflict>,
}

/// The accesses of a chunk since its last write.
#[derive(Clone, Default)]
struct Cell {
    written: Option<Event>,
    /// By agent.
    reads: Vec<Event>,
}

/// Two accesses of a chunk that nothing orders, one of them a write.
#[derive(Clone, Copy)]
pub(in crate::verify) struct Conflict {
    owner: usize,
    space: Space,
    chunk: usize,
    /// The accesses, and whether they write.
    first: (At, bool),
    second: (At, bool),
}

impl Conflict {
    pub(in crate::verify) fn finding(self, located: &dyn Located) -> Result<Finding, Stop> {
        let Self { owner, space, chunk, first, second } = self;
        Ok(Finding::Conflict {
            owner,
            name: located.name_of(owner, space, chunk),
            first: located.place(first.0)?,
            first_writes: first.1,
            second: located.place(second.0)?,
            second_writes: second.1,
        })
    }
}

impl Clocks {
    /// The clocks of `lanes`, and of the two agents of each of `ports`.
    pub(super) fn new((ranks, chunks): (usize, usize), lanes: usize, ports: usize) -> Self {
        let agents = lanes + 2 * ports;
        let none: Rc<[u32]> = vec![0; agents].into();
        let clock = |agent| Clock { agent, time: 0, seen: Rc::clone(&none), read: None };
        let of_lanes = if ports == 0 && lanes == ranks { ranks * ranks } else { 0 };
        Self {
            ranks,
            chunks,
            lanes,
            clocks: (0..agents as u32).map(clock).collect(),
            reader: 0,
            writer: 0,
            ported: vec![Vec::new(); ports],
            stamps: Vec::new(),
            cells: vec![Cell::default(); ranks * chunks],
            scratch: HashMap::new(),
            packets: HashMap::new(),
            accesses: vec![0; of_lanes],
            conflict: None,
        }
    }

    pub(super) fn begin(&mut self, at: At) {
        (self.reader, self.writer) = (at.lane, at.lane);
        self.clocks[at.lane].time = at.step as u32 + 1;
    }

    /// The step that `at.lane` has begun is done by a port channel, after what the channel knew.
    pub(super) fn begin_port(&mut self, at: At, port: usize) {
        let reads = self.lanes + 2 * port;
        (self.reader, self.writer) = (reads, reads + 1);
        for (agent, before) in [(reads, at.lane), (reads + 1, reads)] {
            let before = self.clocks[before].clone();
            self.clocks[agent].join(&before);
            self.clocks[agent].time += 1;
        }
        self.ported[port].push(at);
    }

    /// Whether the step is done by a port channel.
    pub(super) fn ported(&self) -> bool {
        self.reader >= self.lanes
    }

    pub(super) fn of(&self, agent: usize) -> &Clock {
        &self.clocks[agent]
    }

    pub(super) fn join(&mut self, agent: usize, other: &Clock) {
        self.clocks[agent].join(other);
    }

    /// What is known of the writes of the step.
    pub(super) fn written(&self) -> &Clock {
        &self.clocks[self.writer]
    }

    /// The clocks of the reads and of the writes of a port.
    pub(super) fn of_port(&self, port: usize) -> [&Clock; 2] {
        [0, 1].map(|i| &self.clocks[self.lanes + 2 * port + i])
    }

    pub(super) fn join_port(&mut self, port: usize, [reads, writes]: &[Clock; 2]) {
        self.clocks[self.lanes + 2 * port].join(reads);
        self.clocks[self.lanes + 2 * port + 1].join(writes);
    }

    /// The step of an agent at a time.
    fn at(&self, (agent, time): Event) -> At {
        let (agent, step) = (agent as usize, time as usize - 1);
        match agent.checked_sub(self.lanes) {
            None => At { lane: agent, step },
            Some(port) => self.ported[port / 2][step],
        }
    }

    fn cell(&mut self, owner: usize, space: Space, chunk: usize) -> &mut Cell {
        match space {
            Space::Scratch => self.scratch.entry((owner, chunk)).or_default(),
            _ => &mut self.cells[owner * self.chunks + chunk],
        }
    }

    /// Notes a read or write of chunks of `owner`.
    pub(super) fn access(&mut self, owner: usize, chunks: ChunkRange, writes: bool) {
        let agent = if writes { self.writer } else { self.reader };
        let time = self.clocks[agent].time;
        if owner != agent && !self.accesses.is_empty() {
            self.accesses[owner * self.ranks + agent] = time;
        }
        if chunks.space == Space::Input {
            return;
        }
        let clock = self.clocks[agent].clone();
        for chunk in chunks.range() {
            let packet = self.packets.contains_key(&(owner, chunk));
            let cell = self.cell(owner, chunks.space, chunk);
            let Some((first, first_writes)) = cell.record(&clock, writes, packet) else { continue };
            if self.conflict.is_none() {
                let second = (self.at(clock.event()), writes);
                let first = (self.at(first), first_writes);
                let space = chunks.space;
                self.conflict = Some(Conflict { owner, space, chunk, first, second });
            }
        }
    }

    /// Notes that packets are filled.
    pub(super) fn fill(&mut self, owner: usize, chunks: ChunkRange) {
        let clock = self.clocks[self.writer].clone();
        for chunk in chunks.range() {
            self.cell(owner, chunks.space, chunk).written = Some(clock.event());
            self.packets.insert((owner, chunk), clock.clone());
        }
    }

    /// Notes that full packets are taken: whoever takes one knows what was read before it was
    /// filled, and if `all`, what was written.
    pub(super) fn take(&mut self, owner: usize, chunks: ChunkRange, all: bool) {
        for chunk in chunks.range() {
            let filled = &self.packets[&(owner, chunk)];
            let clock = &mut self.clocks[self.reader];
            if all {
                clock.join(filled);
            } else {
                clock.join_reads(filled);
            }
            let read = clock.event();
            self.cell(owner, chunks.space, chunk).note_read(read);
        }
    }

    /// Message number `slot` tells what its sender knows.
    pub(super) fn send(&mut self, slot: u32) {
        if self.stamps.len() <= slot as usize {
            self.stamps.resize(slot as usize + 1, None);
        }
        self.stamps[slot as usize] = Some(self.clocks[self.writer].clone());
    }

    /// The reader hears what message number `slot` tells.
    pub(super) fn receive(&mut self, slot: u32) {
        if let Some(stamp) = self.stamps[slot as usize].take() {
            self.clocks[self.reader].join(&stamp);
        }
    }

    /// Every lane of these hears of all steps before the barrier.
    pub(super) fn barrier(&mut self, lanes: impl Iterator<Item = usize> + Clone) {
        let Some(first) = lanes.clone().next() else { return };
        let mut all = self.clocks[first].clone();
        lanes.clone().for_each(|lane| all.join(&self.clocks[lane]));
        // The first one knows of itself without a note.
        let event = all.event();
        [Some(&mut all.seen), all.read.as_mut()].into_iter().flatten().for_each(|times| {
            raise(times, &[], event);
        });
        for lane in lanes {
            self.clocks[lane].seen = Rc::clone(&all.seen);
            self.clocks[lane].read = all.read.clone();
        }
    }

    /// A rank that can end before a peer has made its last access to the rank's memory, with it.
    pub(in crate::verify) fn incomplete(&self) -> Option<(usize, At)> {
        let accesses = (0..).zip(&self.accesses).filter(|(_, time)| **time > 0);
        let event = |i: usize, time: u32| ((i % self.ranks) as u32, time);
        let mut unheard = accesses.map(|(i, time)| (i / self.ranks, event(i, *time)));
        let (owner, event) = unheard.find(|(owner, event)| !self.clocks[*owner].knows(*event))?;
        Some((owner, self.at(event)))
    }

    /// The last write of an output chunk, unless it is known to those who have `heard` at the end.
    pub(super) fn unfinished(&self, chunk: usize, heard: Option<&Clock>) -> Option<At> {
        let written = self.cells[chunk].written?;
        (!heard.is_some_and(|heard| heard.knows(written))).then(|| self.at(written))
    }

    pub(in crate::verify) fn last_write(&self, rank: usize, chunk: usize) -> Option<At> {
        self.cells[rank * self.chunks + chunk].written.map(|event| self.at(event))
    }

    /// Two ranks, the first of which can end before the second has begun.
    pub(in crate::verify) fn unheard(&self) -> Option<(usize, usize)> {
        let n = self.ranks;
        let unheard =
            |&(rank, other): &(usize, usize)| rank != other && self.clocks[rank].seen[other] == 0;
        (0..n * n).map(|i| (i / n, i % n)).find(unheard)
    }
}

impl Cell {
    fn note_read(&mut self, read: Event) {
        match self.reads.binary_search_by_key(&read.0, |r| r.0) {
            Ok(i) => self.reads[i] = read,
            Err(i) => self.reads.insert(i, read),
        }
    }

    /// Notes an access; an earlier one that `clock`, what its agent knows, has no order with, and
    /// whether that one writes. Whoever knows a read of a packet knows that it is full.
    fn record(&mut self, clock: &Clock, writes: bool, packet: bool) -> Option<(Event, bool)> {
        let known = |write: Event| {
            clock.knows(write) || packet && self.reads.iter().any(|read| clock.knows(*read))
        };
        let unordered = self.written.filter(|write| !known(*write)).map(|write| (write, true));
        if !writes {
            self.note_read(clock.event());
            return unordered;
        }
        let read = || self.reads.iter().copied().find(|read| !clock.knows_read(*read));
        let unordered = unordered.or_else(|| read().map(|read| (read, false)));
        self.written = Some(clock.event());
        self.reads.clear();
        unordered
    }
}
