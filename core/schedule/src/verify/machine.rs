//! The abstract machine: runs every lane until all have finished or none can go on.

mod channels;
mod clocks;
mod memory;
mod relieve;
mod report;
mod steps;

pub(super) use clocks::{CLOCKS, Clocks};

use super::domain::Domain;
use super::finding::Finding;
use super::lanes::{Lanes, Source};
use crate::Capabilities;
use crate::schedule::tape::{Packed, Reader, Tapes};
use crate::{Action, Moves, Params};
use channels::Channels;
use memory::Memory;
use ringwood_base::Error;

/// Why a run ends early.
pub(super) enum Stop {
    Finding(Box<Finding>),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Error(error)
    }
}

/// A step by rank and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct At {
    pub(super) rank: usize,
    pub(super) step: usize,
}

/// Where a lane stands.
struct Cursor {
    reader: Reader,
    position: u32,
    wait: Option<Wait>,
}

impl Cursor {
    fn new(reader: Reader) -> Self {
        Self { reader, position: 0, wait: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wait {
    /// For a message or signal of a channel.
    Message(u32),
    /// For room in a channel.
    Room(u32),
    /// For the receivers of what the step overwrites.
    Readers,
    Barrier,
}

/// When steps wait, beside a receive for its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    /// A send while its channel is full: what is the smallest depth that works? Values are not
    /// followed.
    Depth,
    /// A write, while a peer has not read what this rank sent from there, as in peer memory; and
    /// sends at a depth of 1, as long as that goes well. Where ranks would wait for each other in
    /// that way, as when two of them exchange one chunk, the send leaves a copy instead.
    InPlace,
}

pub(super) struct Machine<'a, D: Domain> {
    params: &'a Params,
    source: &'a dyn Source,
    tapes: &'a Tapes,
    pub(super) domain: D,
    lanes: Vec<Cursor>,
    channels: Channels,
    memory: Memory<D::Value>,
    /// What copied messages carry, by number.
    copies: Vec<Vec<D::Value>>,
    clocks: Option<Clocks>,
    rules: Rules,
    /// How many messages a channel holds; no limit if `None`.
    depth: Option<u32>,
    /// Whether every send leaves a copy, because peers write where it sends from.
    copies_all: bool,
    /// For each rank, the sends that leave a copy.
    staged: Vec<Vec<u32>>,
    /// The ranks at the barrier.
    arrived: usize,
    pub(super) totals: Totals,
    work: Vec<u32>,
}

/// What a run adds up.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    pub(super) messages: u64,
    /// Signals, and arrivals at barriers.
    pub(super) signals: u64,
    pub(super) needs: Capabilities,
    pub(super) moves: Moves,
}

impl<'a, D: Domain> Machine<'a, D> {
    pub(super) fn new(lanes: &'a Lanes<'a>, mut domain: D, rules: Rules) -> Self {
        let params = lanes.params;
        let n = params.ranks();
        Self {
            params,
            source: lanes.source,
            tapes: &lanes.tapes,
            memory: Memory::new(params, &mut domain),
            domain,
            lanes: (0..n).map(|rank| Cursor::new(lanes.tapes.begin(rank))).collect(),
            channels: Channels::new(n),
            copies: Vec::new(),
            clocks: (lanes.ordered && D::FOLLOWED).then(|| Clocks::new(params)),
            rules,
            depth: Some(1),
            copies_all: lanes.puts,
            staged: vec![Vec::new(); n],
            arrived: 0,
            totals: Totals::default(),
            work: (0..n as u32).rev().collect(),
        }
    }

    /// Runs every lane to its end.
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        loop {
            while let Some(rank) = self.work.pop() {
                self.advance(rank as usize)?;
            }
            if !self.relieve() {
                return self.check_finished();
            }
        }
    }

    fn advance(&mut self, rank: usize) -> Result<(), Stop> {
        while let Some(step) = self.lanes[rank].reader.peek(self.tapes) {
            let at = At { rank, step: self.lanes[rank].position as usize };
            if let Some(wait) = self.step(at, step)? {
                self.lanes[rank].wait = Some(wait);
                return Ok(());
            }
            let lane = &mut self.lanes[rank];
            lane.reader.advance(self.tapes);
            lane.position += 1;
        }
        Ok(())
    }

    /// Does a step, unless it has to wait.
    #[inline]
    fn step(&mut self, at: At, step: Packed) -> Result<Option<Wait>, Stop> {
        if let Some(clocks) = &mut self.clocks {
            clocks.begin(at);
        }
        let (own, peer) = (at.rank, step.peer as usize);
        match step.action() {
            Action::Send => self.send(at, step),
            Action::Recv | Action::RecvReduce => self.receive(at, step),
            Action::Copy | Action::Reduce => self.transfer(at, step, own, own),
            Action::Get | Action::GetReduce => {
                self.totals.needs.peer_load = true;
                self.transfer(at, step, peer, own)
            }
            Action::Put => {
                self.totals.needs.put = true;
                self.transfer(at, step, own, peer)
            }
            Action::Signal => Ok(self.signal(at, step)),
            Action::Wait => Ok(self.wait(at, step)),
            Action::Barrier => Ok(self.barrier(at)),
        }
    }

    #[inline]
    fn wake(&mut self, rank: u32, wait: Wait) {
        let lane = &mut self.lanes[rank as usize];
        if lane.wait == Some(wait) {
            lane.wait = None;
            self.work.push(rank);
        }
    }
}
