//! The abstract machine: runs every lane until all have finished or none can go on.

mod channels;
mod clocks;
mod memory;
mod plan;
mod relieve;
mod report;
mod steps;

pub(super) use clocks::{Clock, Clocks};

use super::at::At;
use super::domain::Domain;
use super::laned::Laned;
use super::lanes::{Lanes, Located};
use super::stop::Stop;
use crate::schedule::compact::{CompactLanes, Packed, Reader};
use crate::{Action, Capabilities, Moves, Params};
use channels::Channels;
use memory::Memory;
use plan::PlanRun;
use std::ops::Range;

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

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Wait {
    /// For a message or signal of a channel.
    Message(u32),
    /// For room in a channel.
    Room(u32),
    /// For the receivers of what the step overwrites.
    Readers,
    Barrier(u32),
    /// For a packet of a rank to be full.
    Packet(u32, u32),
    /// For a semaphore to be above zero.
    Semaphore(u32),
    /// For an operation of another lane; [`NEVER`] if none says that it is done.
    Done(u32, u32),
}

/// In [`Wait::Done`].
const NEVER: u32 = u32::MAX;

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
    located: &'a dyn Located,
    compact: &'a CompactLanes,
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
    /// The steps in the order of the run, if that is asked for.
    order: Option<Vec<(u32, u32)>>,
    /// What only plans have.
    plan: Option<PlanRun<'a>>,
    /// The scratch chunks that are packets.
    packets: Range<u32>,
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
        let (n, size) = (params.ranks(), (params.ranks(), params.chunks()));
        Self {
            params,
            located: lanes.source,
            compact: &lanes.compact,
            memory: Memory::new(params, &mut domain, |rank| params.defined(rank)),
            domain,
            lanes: (0..n).map(|rank| Cursor::new(lanes.compact.begin(rank))).collect(),
            channels: Channels::new(n),
            copies: Vec::new(),
            clocks: (lanes.ordered && D::FOLLOWED).then(|| Clocks::new(size, n, 0)),
            rules,
            depth: Some(1),
            copies_all: lanes.puts,
            staged: vec![Vec::new(); n],
            arrived: 0,
            totals: Totals::default(),
            work: (0..n as u32).rev().collect(),
            order: None,
            plan: None,
            packets: 0..0,
        }
    }

    /// The same for the lanes of a plan. Messages are copies, and no step waits for room.
    pub(super) fn of_plan(laned: &'a Laned<'a>, none: &'a CompactLanes, mut domain: D) -> Self {
        let (params, lanes) = (&laned.frame.params, laned.plan.lanes.len());
        let (n, size) = (params.ranks(), (params.ranks(), params.chunks()));
        Self {
            params,
            located: laned,
            compact: none,
            memory: Memory::new(params, &mut domain, |rank| laned.frame.defined(rank)),
            domain,
            lanes: (0..lanes).map(|_| Cursor::new(Reader::default())).collect(),
            channels: Channels::new(n),
            copies: Vec::new(),
            clocks: Some(Clocks::new(size, lanes, laned.ports.len())),
            rules: Rules::InPlace,
            depth: None,
            copies_all: true,
            staged: vec![Vec::new(); n],
            arrived: 0,
            totals: Totals::default(),
            work: (0..lanes as u32).rev().collect(),
            order: Some(Vec::new()),
            plan: Some(PlanRun::new(laned)),
            packets: laned.frame.packets(),
        }
    }

    /// Keeps the order in which steps are done.
    pub(super) fn ordered(self) -> Self {
        Self { order: Some(Vec::new()), ..self }
    }

    pub(super) fn take_order(&mut self) -> Vec<(u32, u32)> {
        self.order.take().unwrap_or_default()
    }

    /// Runs every lane to its end.
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        loop {
            while let Some(lane) = self.work.pop() {
                self.advance(lane as usize)?;
            }
            if !self.acquire_later()? && !self.relieve() {
                return self.check_finished();
            }
        }
    }

    fn advance(&mut self, lane: usize) -> Result<(), Stop> {
        if self.plan.is_some() {
            return self.advance_plan(lane, false);
        }
        while let Some(step) = self.lanes[lane].reader.peek(self.compact) {
            let at = At { lane, step: self.lanes[lane].position as usize };
            if let Some(clocks) = &mut self.clocks {
                clocks.begin(at);
            }
            if let Some(wait) = self.step(at, lane, step)? {
                self.lanes[lane].wait = Some(wait);
                return Ok(());
            }
            self.pass(at);
        }
        Ok(())
    }

    /// Notes that a lane has done its step.
    #[inline]
    fn pass(&mut self, at: At) {
        let lane = &mut self.lanes[at.lane];
        lane.reader.advance(self.compact);
        lane.position += 1;
        if let Some(order) = &mut self.order {
            order.push((at.lane as u32, at.step as u32));
        }
    }

    /// Does a step of rank `own`, unless it has to wait.
    #[inline]
    fn step(&mut self, at: At, own: usize, step: Packed) -> Result<Option<Wait>, Stop> {
        let peer = step.peer as usize;
        match step.action() {
            Action::Send => self.send(at, own, step),
            Action::Recv | Action::RecvReduce => self.receive(at, own, step),
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
        if self.plan.is_some() {
            return self.wake_lanes(wait);
        }
        let lane = &mut self.lanes[rank as usize];
        if lane.wait == Some(wait) {
            lane.wait = None;
            self.work.push(rank);
        }
    }
}
