//! What only plans have: packets, semaphores, port channels, barriers of some lanes, dependencies.

mod blocked;
mod counter;

use super::super::domain::Domain;
use super::super::finding::Finding;
use super::super::laned::{Laned, Packets, Relaxed};
use super::{At, Clock, Clocks, Done, Machine, NEVER, Packed, Stop, Wait};
use crate::plan::{PlanAction, Rounds};
use crate::{ChunkRange, Space};
use std::collections::{BTreeMap, HashMap, VecDeque};

use counter::Counter;

/// A request to a port channel: the lane's step, and what the channel knew then.
type Request = (u32, [Clock; 2]);

pub(super) struct PlanRun<'a> {
    laned: &'a Laned<'a>,
    semaphores: Vec<Counter>,
    /// The lanes at each barrier.
    arrived: Vec<Vec<usize>>,
    /// The operations that others wait for, with what their lanes knew when they were done.
    done: HashMap<(u32, u32), Option<Clock>>,
    waiters: HashMap<Wait, Vec<u32>>,
    /// Lanes before an acquire that comes last.
    later: VecDeque<u32>,
    /// Of each port that several lanes share, what it knew after each request: by lane, with the
    /// lane's step.
    requests: HashMap<u32, BTreeMap<u32, Vec<Request>>>,
    /// The first read of a chunk without a value, which may turn out to be a race.
    pub(super) early: Option<Finding>,
}

impl<'a> PlanRun<'a> {
    pub(super) fn new(laned: &'a Laned<'a>) -> Self {
        let plan = laned.plan;
        let awaited = plan.lanes.iter().flat_map(|l| &l.ops).filter_map(|o| match o.action {
            PlanAction::After { lane, op: Some(op), .. } => Some(((lane, op), None)),
            _ => None,
        });
        Self {
            laned,
            semaphores: plan.semaphores.iter().map(|s| Counter::new(s.initial)).collect(),
            arrived: vec![Vec::new(); plan.barriers.len()],
            done: awaited.collect(),
            waiters: HashMap::new(),
            later: VecDeque::new(),
            requests: HashMap::new(),
            early: None,
        }
    }

    /// The cells of a chunk of the file.
    pub(super) fn cells(&self) -> u32 {
        self.laned.plan.cells
    }

    /// Whether a packet orders what was written before it.
    pub(super) fn fenced(&self) -> bool {
        self.laned.model.packets == Packets::Memory
    }

    /// Whether a signal orders memory.
    fn orders(&self, relaxed: bool) -> bool {
        !relaxed || self.laned.model.relaxed == Relaxed::Memory
    }
}

impl<'a, D: Domain> Machine<'a, D> {
    pub(super) fn laned(&self) -> &'a Laned<'a> {
        self.plan.as_ref().expect("a plan").laned
    }

    fn run_of(&mut self) -> (&mut PlanRun<'a>, &mut Clocks) {
        let clocks = self.clocks.as_mut().expect("a plan has clocks");
        (self.plan.as_mut().expect("a plan"), clocks)
    }

    /// Runs a lane until it waits, or is before an acquire that comes last, the first of which it
    /// `may_acquire`.
    pub(super) fn advance_plan(&mut self, lane: usize, mut may_acquire: bool) -> Result<(), Stop> {
        let laned = self.laned();
        while let Some(op) = laned.plan.lanes[lane].ops.get(self.lanes[lane].position as usize) {
            let at = At { lane, step: self.lanes[lane].position as usize };
            if laned.comes_last(&op.action) && !std::mem::take(&mut may_acquire) {
                self.run_of().0.later.push_back(lane as u32);
                return Ok(());
            }
            self.run_of().1.begin(at);
            if let Some(port) = op.action.port() {
                self.ask(at, port);
            }
            let wait = match op.action {
                PlanAction::Move { .. } => self.step(at, laned.rank(lane), laned.step(at))?,
                _ => self.synchronise(at, &op.action)?,
            };
            if let Some(wait) = wait {
                self.lanes[lane].wait = Some(wait);
                self.run_of().0.waiters.entry(wait).or_default().push(lane as u32);
                return Ok(());
            }
            self.finish(at);
        }
        Ok(())
    }

    /// Lets the first lane that is before an acquire go on; `false` if there is none.
    pub(super) fn acquire_later(&mut self) -> Result<bool, Stop> {
        let Some(lane) = self.plan.as_mut().and_then(|plan| plan.later.pop_front()) else {
            return Ok(false);
        };
        self.advance_plan(lane as usize, true)?;
        Ok(true)
    }

    /// Notes that a lane has done an operation.
    fn finish(&mut self, at: At) {
        self.pass(at);
        let (plan, clocks) = self.run_of();
        let key = (at.lane as u32, at.step as u32);
        if let Some(slot) = plan.done.get_mut(&key) {
            *slot = Some(clocks.of(at.lane).clone());
            self.wake_lanes(Wait::Done(key.0, key.1));
        }
    }

    pub(super) fn wake_lanes(&mut self, wait: Wait) {
        let Some(lanes) = self.plan.as_mut().and_then(|plan| plan.waiters.remove(&wait)) else {
            return;
        };
        lanes.iter().for_each(|lane| self.lanes[*lane as usize].wait = None);
        self.work.extend(lanes);
    }

    /// Hands the lane's step to a port channel. It works in the order of requests, so it has done
    /// before what it was asked for by this lane, and by others as far as this lane knows.
    fn ask(&mut self, at: At, port: u32) {
        let (plan, clocks) = self.run_of();
        let own = plan.laned.ports[&(port, at.lane as u32)] as usize;
        let shared = plan.laned.is_shared(port);
        if shared {
            for (lane, requests) in plan.requests.entry(port).or_default() {
                let known =
                    requests.partition_point(|(t, _)| clocks.of(at.lane).knows((*lane, *t)));
                if let Some((_, knew)) = known.checked_sub(1).map(|last| &requests[last]) {
                    clocks.join_port(own, knew);
                }
            }
        }
        clocks.begin_port(at, own);
        if shared {
            let knew = clocks.of_port(own).map(Clock::clone);
            let of_lane = plan.requests.entry(port).or_default().entry(at.lane as u32);
            of_lane.or_default().push((at.step as u32 + 1, knew));
        }
    }

    /// Does what orders other operations, or says what it waits for.
    fn synchronise(&mut self, at: At, action: &PlanAction) -> Done {
        let (plan, clocks) = self.run_of();
        match *action {
            PlanAction::Release { semaphore, relaxed, rounds, .. } => {
                let orders = plan.orders(relaxed);
                let counter = &mut plan.semaphores[semaphore as usize];
                if let Err(acquire) = counter.release(clocks.written(), at, rounds, orders) {
                    let (release, acquire) = (self.place(at)?, self.place(acquire)?);
                    return Err(Finding::Semaphore { release, acquire }.into());
                }
                self.wake_lanes(Wait::Semaphore(semaphore));
            }
            PlanAction::Acquire { semaphore, relaxed, rounds } => {
                return self.acquire(at, semaphore, relaxed, rounds);
            }
            PlanAction::Flush { port } => {
                let own = plan.laned.ports[&(port, at.lane as u32)] as usize;
                let reads = clocks.of_port(own)[0].clone();
                clocks.join(at.lane, &reads);
            }
            PlanAction::Barrier { barrier } => return Ok(self.meet(at, barrier)),
            PlanAction::After { lane, op, .. } => {
                let done = op.and_then(|op| plan.done[&(lane, op)].clone());
                let Some(clock) = done else {
                    return Ok(Some(Wait::Done(lane, op.unwrap_or(NEVER))));
                };
                clocks.join(at.lane, &clock);
            }
            PlanAction::Nop | PlanAction::Move { .. } => {}
        }
        Ok(None)
    }

    fn acquire(&mut self, at: At, semaphore: u32, relaxed: bool, rounds: Rounds) -> Done {
        let (plan, clocks) = self.run_of();
        let orders = plan.orders(relaxed);
        let counter = &mut plan.semaphores[semaphore as usize];
        if !counter.is_free() {
            return Ok(Some(Wait::Semaphore(semaphore)));
        }
        match counter.acquire(clocks, at, rounds, orders) {
            Ok(()) => Ok(None),
            Err(signal) => {
                let (signal, wait) = (self.place(signal)?, self.place(at)?);
                Err(Finding::Rounds { signal, wait }.into())
            }
        }
    }

    /// Comes to a barrier of some lanes; the last lane to come lets all go on.
    fn meet(&mut self, at: At, barrier: u32) -> Option<Wait> {
        let (plan, clocks) = self.run_of();
        let arrived = &mut plan.arrived[barrier as usize];
        arrived.push(at.lane);
        if arrived.len() < plan.laned.plan.barriers[barrier as usize] as usize {
            return Some(Wait::Barrier(barrier));
        }
        let lanes = std::mem::take(arrived);
        clocks.barrier(lanes.iter().copied());
        for &lane in lanes.iter().filter(|&&lane| lane != at.lane) {
            self.finish(At { lane, step: self.lanes[lane].position as usize });
        }
        self.wake_lanes(Wait::Barrier(barrier));
        None
    }

    #[inline]
    pub(super) fn packets(&self, chunks: ChunkRange) -> bool {
        chunks.space == Space::Scratch && self.packets.contains(&chunks.first)
    }

    /// Waits until the packets that a lane reads are full, and finds fault with those that it fills
    /// a second time. A port channel does not look at the packets that it copies.
    pub(super) fn begin_packets(&self, at: At, step: Packed, (from, to): (usize, usize)) -> Done {
        let full = |rank: usize, chunk| self.memory.get(rank, Space::Scratch, chunk).is_some();
        let ported = self.clocks.as_ref().is_some_and(Clocks::ported);
        if self.packets(step.sources()) && !ported {
            let empty = step.sources().range().find(|&chunk| !full(from, chunk));
            if let Some(chunk) = empty {
                return Ok(Some(Wait::Packet(from as u32, chunk as u32)));
            }
        }
        if self.packets(step.chunks())
            && let Some(chunk) = step.chunks().range().find(|&chunk| full(to, chunk))
        {
            let name = self.located.name_of(to, Space::Scratch, chunk);
            return Err(Finding::PacketTwice { name, place: self.place(at)? }.into());
        }
        Ok(None)
    }

    pub(super) fn unheard_signal(&self) -> Option<At> {
        let plan = self.plan.as_ref()?;
        let counters = plan.semaphores.iter().zip(&plan.laned.plan.semaphores);
        let signals = counters.filter(|(_, semaphore)| semaphore.signal.is_some());
        signals.filter_map(|(counter, _)| counter.left()).next()
    }

    /// A rank that may end before another one has written its output: the write, with the chunk.
    pub(in crate::verify) fn unfinished(&self) -> Option<(usize, usize, At)> {
        let (laned, clocks, chunks) = (self.laned(), self.clocks.as_ref()?, self.params.chunks());
        // What the lanes of each rank know together.
        let mut heard: Vec<Option<Clock>> = vec![None; self.params.ranks()];
        for (lane, of) in laned.plan.lanes.iter().enumerate() {
            match &mut heard[of.rank as usize] {
                Some(all) => all.join(clocks.of(lane)),
                none => *none = Some(clocks.of(lane).clone()),
            }
        }
        (0..).zip(&heard).find_map(|(rank, heard)| {
            laned.frame.output(rank).find_map(|chunk| {
                let at = clocks.unfinished(rank * chunks + chunk, heard.as_ref())?;
                Some((rank, chunk, at))
            })
        })
    }
}
