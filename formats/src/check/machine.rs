//! The abstract machine: runs every lane until all have finished or none can go on.

use super::accesses::Cell;
use super::clock::Clock;
use super::semaphore::Semaphore;
use super::values::Domain;
use super::{Finding, Place, Relaxed, blocked};
use crate::plan::{Action, ExecutionPlan, Layout, Rounds};
use ringwood_schedule::Space;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// What a lane waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Wait {
    Message(u32),
    Packet(usize),
    Signal(u32),
    Semaphore(u32),
    Barrier(u32),
    /// Another lane's operation; `None` if it never says that it is done.
    Op(u32, Option<u32>),
}

/// A message in a queue.
pub(super) struct Message<V> {
    pub(super) values: Vec<V>,
    pub(super) clock: Clock,
    pub(super) from: (u32, u32),
}

/// A signal that was given and not yet taken.
struct Token {
    /// What its giver knew, unless the signal is relaxed.
    clock: Option<Clock>,
    rounds: Rounds,
    from: (u32, u32),
}

pub(super) struct Machine<'a, D: Domain> {
    pub(super) plan: &'a ExecutionPlan,
    pub(super) layout: &'a Layout,
    pub(super) domain: D,
    pub(super) cells: Vec<Cell<D::Value>>,
    pub(super) queues: Vec<VecDeque<Message<D::Value>>>,
    /// The clocks of all lanes, then of every proxy two: of its reads, and of its writes, which
    /// others see later.
    pub(super) clocks: Vec<Clock>,
    relaxed: Relaxed,
    signals: Vec<VecDeque<Token>>,
    semaphores: Vec<Semaphore>,
    arrived: Vec<Vec<u32>>,
    /// The next operation of each lane.
    pub(super) next: Vec<u32>,
    pub(super) waits: Vec<Option<Wait>>,
    waiters: HashMap<Wait, Vec<u32>>,
    /// The operations that others wait for, with what their lanes knew when they were done.
    awaited: HashMap<(u32, u32), Option<Clock>>,
    work: Vec<u32>,
    /// Lanes before an acquire, which come last.
    later: VecDeque<u32>,
    order: Vec<(u32, u32)>,
    /// The first read of a cell without a value, which may turn out to be a race.
    pub(super) early: Option<Box<Finding>>,
}

type Step<T> = Result<T, Box<Finding>>;

/// All cells of memory, those of the inputs with their values.
fn inputs<D: Domain>(plan: &ExecutionPlan, layout: &Layout, domain: &D) -> Vec<Cell<D::Value>> {
    let mut cells: Vec<_> = (0..layout.total()).map(|_| Cell::new(None)).collect();
    for (rank, buffers) in (0..).zip(&plan.ranks) {
        for cell in 0..buffers.input {
            let at = layout.cells(rank, Space::Input, cell, 1).expect("a cell of the input");
            cells[at].value = Some(domain.leaf(rank, cell));
        }
    }
    cells
}

impl<'a, D: Domain> Machine<'a, D> {
    pub(super) fn new(
        plan: &'a ExecutionPlan,
        layout: &'a Layout,
        relaxed: Relaxed,
        domain: D,
    ) -> Self {
        let agents = plan.lanes.len() + 2 * plan.proxies as usize;
        let none: Arc<[u32]> = vec![0; agents].into();
        let awaited = plan.lanes.iter().flat_map(|l| &l.ops).filter_map(|o| match o.action {
            Action::After { lane, op: Some(op), .. } => Some(((lane, op), None)),
            _ => None,
        });
        Self {
            plan,
            layout,
            cells: inputs(plan, layout, &domain),
            domain,
            queues: plan.queues.iter().map(|_| VecDeque::new()).collect(),
            clocks: (0..agents).map(|a| Clock::new(a as u32, &none)).collect(),
            relaxed,
            signals: plan.signals.iter().map(|_| VecDeque::new()).collect(),
            semaphores: plan.semaphores.iter().map(|&count| Semaphore::new(count)).collect(),
            arrived: vec![Vec::new(); plan.barriers.len()],
            next: vec![0; plan.lanes.len()],
            waits: vec![None; plan.lanes.len()],
            waiters: HashMap::new(),
            awaited: awaited.collect(),
            work: (0..plan.lanes.len() as u32).rev().collect(),
            later: VecDeque::new(),
            order: Vec::new(),
            early: None,
        }
    }

    /// Runs every lane to its end.
    pub(super) fn run(&mut self) -> Step<()> {
        loop {
            if let Some(lane) = self.work.pop() {
                self.advance(lane, false)?;
            } else if let Some(lane) = self.later.pop_front() {
                self.advance(lane, true)?;
            } else {
                break;
            }
        }
        match self.waits.iter().any(Option::is_some) {
            true => Err(Box::new(blocked::deadlock(self))),
            false => Ok(()),
        }
    }

    /// Runs a lane until it waits, or is before an acquire, the first of which it `may_acquire`.
    fn advance(&mut self, lane: u32, mut may_acquire: bool) -> Step<()> {
        let plan = self.plan;
        self.waits[lane as usize] = None;
        while let Some(op) = plan.lanes[lane as usize].ops.get(self.next[lane as usize] as usize) {
            let at = (lane, self.next[lane as usize]);
            if matches!(op.action, Action::Acquire { .. }) && !std::mem::take(&mut may_acquire) {
                self.later.push_back(lane);
                return Ok(());
            }
            self.clocks[lane as usize].tick();
            if let Some(wait) = self.execute(at, &op.action)? {
                self.waits[lane as usize] = Some(wait);
                self.waiters.entry(wait).or_default().push(lane);
                return Ok(());
            }
            self.finish(at);
        }
        Ok(())
    }

    /// Notes that a lane has done an operation.
    fn finish(&mut self, at: (u32, u32)) {
        self.next[at.0 as usize] = at.1 + 1;
        self.order.push(at);
        if let Some(slot) = self.awaited.get_mut(&at) {
            *slot = Some(self.clocks[at.0 as usize].clone());
            self.wake(Wait::Op(at.0, Some(at.1)));
        }
    }

    pub(super) fn wake(&mut self, wait: Wait) {
        if let Some(lanes) = self.waiters.remove(&wait) {
            self.work.extend(lanes);
        }
    }

    /// Does an operation, or says what it waits for.
    fn execute(&mut self, at: (u32, u32), action: &Action) -> Step<Option<Wait>> {
        let lane = at.0 as usize;
        match *action {
            Action::Move { cells, ref sources, ref targets, proxy } => {
                return self.carry(at, cells, sources, targets, proxy);
            }
            Action::Signal { signal, relaxed, proxy, rounds } => {
                let (_, agent) = self.agents(lane, proxy);
                let orders = !relaxed || self.relaxed == Relaxed::Memory;
                let clock = orders.then(|| self.clocks[agent].clone());
                self.signals[signal as usize].push_back(Token { clock, rounds, from: at });
                self.wake(Wait::Signal(signal));
            }
            Action::Wait { signal, relaxed, rounds } => {
                return self.take_signal(at, signal, relaxed, rounds);
            }
            Action::Flush { proxy } => {
                let reads = self.clocks[self.reads_of(proxy)].clone();
                self.clocks[lane].join(&reads);
            }
            Action::Barrier { barrier } => return Ok(self.arrive(at, barrier)),
            Action::Acquire { semaphore } => {
                let s = &mut self.semaphores[semaphore as usize];
                if !s.is_free() {
                    return Ok(Some(Wait::Semaphore(semaphore)));
                }
                s.acquire(&mut self.clocks[lane], at);
            }
            Action::Release { semaphore } => {
                let released = self.semaphores[semaphore as usize].release(&self.clocks[lane]);
                released.map_err(|acquire| {
                    let (release, acquire) = (self.place(at), self.place(acquire));
                    Box::new(Finding::Semaphore { release, acquire })
                })?;
                self.wake(Wait::Semaphore(semaphore));
            }
            Action::After { lane: other, op, .. } => {
                let done = op.and_then(|op| self.awaited[&(other, op)].clone());
                let Some(clock) = done else { return Ok(Some(Wait::Op(other, op))) };
                self.clocks[lane].join(&clock);
            }
            Action::Nop => {}
        }
        Ok(None)
    }

    /// Who reads and who writes: the lane, or a proxy that first learns what the lane knows.
    pub(super) fn agents(&mut self, lane: usize, proxy: Option<u32>) -> (usize, usize) {
        let Some(proxy) = proxy else { return (lane, lane) };
        let reads = self.reads_of(proxy);
        for (agent, before) in [(reads, lane), (reads + 1, reads)] {
            let before = self.clocks[before].clone();
            self.clocks[agent].join(&before);
            self.clocks[agent].tick();
        }
        (reads, reads + 1)
    }

    /// The clock of the reads of a proxy; that of its writes is the next one.
    fn reads_of(&self, proxy: u32) -> usize {
        self.plan.lanes.len() + 2 * proxy as usize
    }

    fn take_signal(
        &mut self,
        at: (u32, u32),
        signal: u32,
        relaxed: bool,
        rounds: Rounds,
    ) -> Step<Option<Wait>> {
        let Some(token) = self.signals[signal as usize].pop_front() else {
            return Ok(Some(Wait::Signal(signal)));
        };
        if token.rounds != rounds {
            let (from, to) = (self.place(token.from), self.place(at));
            return Err(Box::new(Finding::Rounds { signal: from, wait: to }));
        }
        let orders = !relaxed || self.relaxed == Relaxed::Memory;
        if let Some(clock) = token.clock.filter(|_| orders) {
            self.clocks[at.0 as usize].join(&clock);
        }
        Ok(None)
    }

    /// Comes to a barrier; the last lane to come lets all go on.
    fn arrive(&mut self, at: (u32, u32), barrier: u32) -> Option<Wait> {
        let arrived = &mut self.arrived[barrier as usize];
        arrived.push(at.0);
        if arrived.len() < self.plan.barriers[barrier as usize] as usize {
            return Some(Wait::Barrier(barrier));
        }
        let lanes = std::mem::take(arrived);
        let mut all = self.clocks[at.0 as usize].clone();
        lanes.iter().for_each(|&l| all.join(&self.clocks[l as usize]));
        for &lane in lanes.iter().filter(|&&l| l != at.0) {
            self.clocks[lane as usize].join(&all);
            self.finish((lane, self.next[lane as usize]));
        }
        self.clocks[at.0 as usize] = all;
        self.wake(Wait::Barrier(barrier));
        None
    }

    pub(super) fn place(&self, at: (u32, u32)) -> Place {
        Place::new(self.plan, at.0, at.1)
    }

    pub(super) fn value(&self, cell: usize) -> Option<D::Value> {
        self.cells[cell].value.clone()
    }

    pub(super) fn into_order(self) -> Vec<(u32, u32)> {
        self.order
    }

    /// Every message and every signal was taken.
    pub(super) fn check_leftovers(&self) -> Step<()> {
        let message = self.queues.iter().find_map(|q| q.front().map(|m| m.from));
        let signal = || self.signals.iter().find_map(|s| s.front().map(|t| t.from));
        match message.or_else(signal) {
            Some(from) => Err(Box::new(Finding::Leftover { place: self.place(from) })),
            None => Ok(()),
        }
    }

    /// Whoever wrote an output is known to have done so when the rank ends.
    pub(super) fn check_complete(&self) -> Step<()> {
        for (rank, buffers) in self.plan.ranks.iter().enumerate() {
            let rank = rank as u32;
            let lanes = self.plan.lanes.iter().enumerate().filter(|(_, l)| l.rank == rank);
            let clocks: Vec<_> = lanes.map(|(i, _)| &self.clocks[i]).collect();
            for cell in 0..buffers.output {
                let Some(at) = self.layout.cells(rank, Space::Output, cell, 1) else { continue };
                let Some(writer) = self.cells[at].writer else { continue };
                if !clocks.iter().any(|clock| writer.done_by(clock)) {
                    let place = self.place((writer.lane, writer.op));
                    let cell = format!("output {cell} of rank {rank}");
                    return Err(Box::new(Finding::Incomplete { cell, place }));
                }
            }
        }
        Ok(())
    }
}
