//! The run along the schedule: a clock for each rank.

mod cores;
mod held;
mod step;

use super::lanes::{Op, Source};
use super::queues::{Key, Queues};
use super::report::Run;
use super::wire::{Message, Wire, time_key};
use crate::cost::Costs;
use cores::Cores;
use held::Held;
use ringwood_base::{Error, Result};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use step::NOBODY;

/// How many steps of all lanes are held at once, each in a byte: 64 MiB.
const HELD_STEPS: usize = 1 << 26;
/// How many of lanes whose steps differ, each in 24 bytes: 96 MiB.
const HELD_KINDS: usize = 1 << 22;

/// A lane, of which a window is held.
#[derive(Default)]
struct Lane {
    held: Held,
    first: usize,
    total: usize,
    position: usize,
    clock: f64,
    /// When it sent last.
    sent: Option<f64>,
    waits: Option<Key>,
    /// When the message arrived that its step takes.
    arrived: Option<f64>,
    /// Whether it has asked a peer for bytes, or come to a barrier, and waits.
    asked: Asked,
}

/// How far a step has got that asks others and waits for them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    No,
    Soon,
    Yes,
}

pub(super) struct Machine<'a> {
    source: &'a dyn Source,
    costs: Costs<'a>,
    wire: Wire<'a>,
    lanes: Vec<Lane>,
    /// The size of the group, if one lane stands for all its ranks.
    folded: Option<usize>,
    queues: Queues,
    /// Lanes that can go on, the earliest first.
    ready: BinaryHeap<Reverse<(u64, u32)>>,
    window: usize,
    few: usize,
    /// A window before it is held.
    ops: Vec<Op>,
    /// The lanes at a barrier.
    met: Vec<u32>,
    /// When the last write that nobody waits for is done.
    last: f64,
    messages: u64,
    moved: u64,
}

enum Progress {
    Done,
    /// The lane waits for a message.
    Blocked(Key),
    /// The lane goes on at a later time and leaves its core until then.
    Later(f64),
}

impl<'a> Machine<'a> {
    pub(super) fn new(source: &'a dyn Source, ranks: usize, wire: Wire<'a>) -> Self {
        Self {
            source,
            costs: wire.costs,
            wire,
            lanes: (0..ranks).map(|_| Lane::default()).collect(),
            folded: None,
            queues: Queues::default(),
            ready: (0..ranks as u32).map(|rank| Reverse((0, rank))).collect(),
            window: (HELD_STEPS / ranks).clamp(32, HELD_KINDS),
            few: (HELD_KINDS / ranks).max(32),
            ops: Vec::new(),
            met: Vec::new(),
            last: 0.0,
            messages: 0,
            moved: 0,
        }
    }

    /// One lane that stands for the `ranks` ranks of a group whose lanes are rotations of it.
    pub(super) fn folded(source: &'a dyn Source, ranks: usize, wire: Wire<'a>) -> Self {
        Self { folded: Some(ranks), ..Self::new(source, 1, wire) }
    }

    /// Runs every lane to its end, `cores` of them at the same time; all if that is 0.
    pub(super) fn run(mut self, cores: usize) -> Result<Run> {
        let mut cores = Cores::new(cores, self.costs.model.switch);
        loop {
            while let Some(Reverse((time, rank))) = self.ready.pop() {
                self.advance(rank as usize, f64::from_bits(time), &mut cores)?;
            }
            let Some((message, arrival)) = self.wire.next() else { break };
            self.deliver(message, arrival);
        }
        self.check_finished()?;
        let seconds = self.lanes.iter().map(|lane| lane.clock).fold(self.last, f64::max);
        let Self { messages, moved, wire, .. } = self;
        Ok(Run { seconds, messages, moved, traffic: wire.traffic })
    }

    fn check_finished(&self) -> Result<()> {
        let waits = self.lanes.iter().position(|lane| lane.waits.is_some());
        let message = match waits {
            Some(rank) => {
                format!("rank {rank} waits for ever at step {}", self.lanes[rank].position)
            }
            None if !self.queues.is_empty() => "a message is never received".to_owned(),
            None => return Ok(()),
        };
        let message = format!("the schedule cannot be simulated: {message}");
        Err(Error::not_verified(message).help("`ringwood verify` says what is wrong"))
    }

    fn advance(&mut self, rank: usize, ready: f64, cores: &mut Cores) -> Result<()> {
        let start = cores.enter(rank, ready.max(self.lanes[rank].clock));
        self.lanes[rank].clock = start;
        let stop = loop {
            let Some(op) = self.fetch(rank)? else { break None };
            match self.step(rank, &op, cores.limited()) {
                Progress::Done => self.lanes[rank].position += 1,
                stop => break Some(stop),
            }
        };
        match stop {
            Some(Progress::Blocked(key)) => self.lanes[rank].waits = Some(key),
            Some(Progress::Later(time)) => self.ready.push(Reverse((time_key(time), rank as u32))),
            _ => {}
        }
        cores.leave(rank, self.lanes[rank].clock);
        Ok(())
    }

    /// The next step of a lane; `None` at its end.
    fn fetch(&mut self, rank: usize) -> Result<Option<Op>> {
        let lane = &mut self.lanes[rank];
        if let Some(op) = lane.held.get(lane.position - lane.first) {
            return Ok(Some(op));
        }
        if lane.position > 0 && lane.position >= lane.total {
            return Ok(None);
        }
        let window = lane.position..lane.position.saturating_add(self.window);
        lane.first = lane.position;
        lane.total = self.source.window(rank, window, &mut self.ops)?;
        lane.held.fill(&self.ops, self.few);
        Ok(lane.held.get(0))
    }

    fn deliver(&mut self, message: Message, arrival: f64) {
        if message.key == NOBODY {
            self.last = self.last.max(arrival);
            return;
        }
        let lane = &mut self.lanes[message.to as usize];
        if lane.waits == Some(message.key) {
            (lane.waits, lane.arrived) = (None, Some(arrival));
            self.ready.push(Reverse((time_key(arrival.max(lane.clock)), message.to)));
        } else {
            self.queues.push(message.key, arrival);
        }
    }
}
