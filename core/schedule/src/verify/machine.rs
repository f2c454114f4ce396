//! The abstract machine: runs every lane until all have finished or none can go on.

mod channels;
mod clocks;
mod memory;
mod plan;
mod report;
mod steps;

pub(super) use clocks::{Clock, Clocks};

use super::domain::Domain;
use super::laned::Laned;
use super::lanes::{At, Lanes, Located};
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

/// What a step waits for, if it is not done.
type Done = Result<Option<Wait>, Stop>;

/// In [`Wait::Done`].
const NEVER: u32 = u32::MAX;

/// The lanes of a plan, whose steps are not compact.
static NONE: CompactLanes = CompactLanes::NONE;

/// A receive waits for its message, and other steps as well.
///
/// Where values are followed: a write, while a peer has not read what this rank sent from there, as in peer
/// memory; and sends at a depth of 1, as long as that goes well. Where ranks would wait for each other in
/// that way, as when two of them exchange one chunk, the send leaves a copy instead. Where they are not: a
/// send while its channel is full, as what is asked for is the smallest depth that works.
pub(super) struct Machine<'a, D: Domain> {
    params: &'a Params,
    located: &'a dyn Located,
    compact: &'a CompactLanes,
    pub(super) domain: D,
    lanes: Vec<Cursor>,
    channels: Channels,
    memory: Memory<D::Value>,
    /// What copied messages carry, by number.
    copies: Vec<Vec<Option<D::Value>>>,
    pub(super) clocks: Option<Clocks>,
    /// How many messages a channel holds, the fewest that this run shows to work; no limit if `None`.
    pub(super) depth: Option<u32>,
    /// Whether every send leaves a copy, because peers write where it sends from.
    copies_all: bool,
    /// For each rank, the sends that leave a copy.
    staged: Vec<Vec<u32>>,
    /// The ranks at the barrier.
    arrived: usize,
    pub(super) totals: Totals,
    work: Vec<u32>,
    /// The steps in the order of the run, if that is asked for.
    pub(super) order: Option<Vec<(u32, u32)>>,
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
    pub(super) fn new(lanes: &'a Lanes<'a>, domain: D) -> Self {
        let (params, n) = (lanes.params, lanes.params.ranks());
        let readers = (0..n).map(|rank| lanes.compact.begin(rank)).collect();
        let machine = Self::of(params, &lanes.source, readers, domain, |rank| params.defined(rank));
        let clocks = lanes.ordered && D::FOLLOWED;
        Self {
            compact: &lanes.compact,
            clocks: clocks.then(|| Clocks::new((n, params.chunks()), n, 0)),
            copies_all: lanes.puts,
            ..machine
        }
    }

    /// The same for the lanes of a plan. Messages are copies, and no step waits for room.
    pub(super) fn of_plan(laned: &'a Laned<'a>, domain: D) -> Self {
        let (params, lanes) = (&laned.frame.params, laned.plan.lanes.len());
        let (size, readers) = ((params.ranks(), params.chunks()), vec![Reader::default(); lanes]);
        Self {
            clocks: Some(Clocks::new(size, lanes, laned.ports.len())),
            depth: None,
            copies_all: true,
            order: Some(Vec::new()),
            plan: Some(PlanRun::new(laned)),
            packets: laned.frame.packets(),
            ..Self::of(params, laned, readers, domain, |rank| laned.frame.defined(rank))
        }
    }

    /// A machine of lanes before their first step, with the chunks of each rank that are `defined`.
    fn of(
        params: &'a Params,
        located: &'a dyn Located,
        readers: Vec<Reader>,
        mut domain: D,
        defined: impl Fn(usize) -> Range<usize>,
    ) -> Self {
        let cursor = |reader| Cursor { reader, position: 0, wait: None };
        Self {
            params,
            located,
            compact: &NONE,
            memory: Memory::new(params, &mut domain, defined),
            domain,
            work: (0..readers.len() as u32).rev().collect(),
            lanes: readers.into_iter().map(cursor).collect(),
            channels: Channels::new(params.ranks()),
            copies: Vec::new(),
            clocks: None,
            depth: Some(1),
            copies_all: false,
            staged: vec![Vec::new(); params.ranks()],
            arrived: 0,
            totals: Totals::default(),
            order: None,
            plan: None,
            packets: 0..0,
        }
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
    fn step(&mut self, at: At, own: usize, step: Packed) -> Done {
        let peer = step.peer as usize;
        match step.action {
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

    /// Lets go of a wait that the schedule does not ask for, once no rank can go on; `false` if there is
    /// none.
    ///
    /// A state that is reached under more waits is reached under fewer, so the run goes on from
    /// where it is.
    fn relieve(&mut self) -> bool {
        let is_room = |wait| matches!(wait, Some(Wait::Room(_)));
        if self.depth.is_some() && self.lanes.iter().any(|lane| is_room(lane.wait)) {
            self.depth = if D::FOLLOWED { None } else { self.depth.map(|depth| depth + 1) };
            self.wake_all(is_room);
            return true;
        }
        D::FOLLOWED && self.stage()
    }

    /// Copies aside what messages carry from where blocked ranks write.
    fn stage(&mut self) -> bool {
        let blocks = |channel: u32, chunks| {
            let lane = &self.lanes[self.channels.get(channel).from as usize];
            let step = lane.reader.peek(self.compact);
            lane.wait == Some(Wait::Readers) && step.is_some_and(|s| s.chunks().overlaps(chunks))
        };
        let pinning = self.channels.in_flight().filter(|(_, message)| !message.copied);
        let blocking = pinning.filter(|(_, message)| blocks(message.channel, message.chunks));
        let blocking: Vec<_> = blocking.map(|(slot, message)| (slot, *message)).collect();
        for (slot, message) in &blocking {
            let rank = self.channels.get(message.channel).from as usize;
            self.copy_aside(*slot, rank, message.chunks);
            self.channels.set_copied(*slot);
            self.memory.unpin(rank, message.chunks);
            self.staged[rank].push(message.sent.step as u32);
        }
        self.wake_all(|wait| wait == Some(Wait::Readers));
        !blocking.is_empty()
    }

    fn wake_all(&mut self, which: impl Fn(Option<Wait>) -> bool) {
        for (rank, lane) in self.lanes.iter_mut().enumerate().filter(|(_, lane)| which(lane.wait)) {
            lane.wait = None;
            self.work.push(rank as u32);
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
