//! What the threads of an executor share: the table, the submissions, the queues of the ranks.

use super::job::Job;
use super::table::{Agreed, Effect, Submitted, Table};
use crate::{AbortHandle, InstanceId, Turns};
use ringwood_base::sync::{Condvar, Mutex, MutexGuard};
use ringwood_base::{Error, Result};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    /// The watch sleeps here.
    watch: Condvar,
}

#[derive(Default)]
struct State {
    table: Table,
    jobs: HashMap<(InstanceId, usize), Box<dyn Job>>,
    /// One for each rank of each group.
    runners: HashMap<(u64, usize), Runner>,
    watched: bool,
    /// When the watch looks next.
    next_look: Option<Instant>,
}

struct Runner {
    queue: VecDeque<InstanceId>,
    turns: Option<Arc<dyn Turns>>,
    wake: Arc<Condvar>,
    abort: AbortHandle,
}

/// Submissions that have ended; their handles are told when the lock is free.
type Ends = Vec<(Box<dyn Job>, Error)>;

impl Shared {
    /// Takes a seat; whether a watch must be started.
    pub(super) fn seat(
        &self,
        group: u64,
        (rank, size): (usize, usize),
        (agreed, turns): (Option<Agreed>, Option<Arc<dyn Turns>>),
        abort: AbortHandle,
    ) -> Result<bool> {
        let mut state = self.lock();
        state.table.seat(group, rank, size, agreed)?;
        let runner = Runner { queue: VecDeque::new(), turns, wake: Arc::default(), abort };
        state.runners.insert((group, rank), runner);
        Ok(!std::mem::replace(&mut state.watched, true))
    }

    pub(super) fn check(&self) -> Result<()> {
        self.lock().table.check()
    }

    pub(super) fn submit(
        self: &Arc<Self>,
        instance: InstanceId,
        rank: usize,
        submitted: Submitted,
        job: Box<dyn Job>,
    ) {
        let mut state = self.lock();
        let arrival = submitted.arrival;
        match state.table.submit(instance, rank, submitted) {
            Err(error) => {
                drop(state);
                job.finish(Err(error));
            }
            Ok(effects) => {
                state.jobs.insert((instance, rank), job);
                if state.next_look.is_none_or(|look| arrival < look) {
                    self.watch.notify_all();
                }
                self.apply(state, effects);
            }
        }
    }

    /// The next submission of a rank to run; `None` when it has left and all are over.
    pub(super) fn next(
        self: &Arc<Self>,
        group: u64,
        rank: usize,
    ) -> Option<(InstanceId, Box<dyn Job>)> {
        let mut state = self.lock();
        loop {
            let runner = state.runners.get_mut(&(group, rank))?;
            let (instance, wake) = (runner.queue.pop_front(), Arc::clone(&runner.wake));
            if let Some(instance) = instance {
                // One that was refused meanwhile has no job any more.
                let Some(job) = state.jobs.remove(&(instance, rank)) else { continue };
                let effects = state.table.begin(instance, rank);
                self.apply(state, effects);
                return Some((instance, job));
            }
            if state.table.is_over(group, rank) {
                return None;
            }
            state = wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A submission has run. Its result: after a failure of the executor, that failure.
    pub(super) fn end(
        self: &Arc<Self>,
        instance: InstanceId,
        rank: usize,
        result: Result<()>,
        group: Result<()>,
    ) -> Result<()> {
        let mut state = self.lock();
        let mut effects = Vec::new();
        if let Err(failure) = group {
            state.table.abort(failure, &mut effects);
        }
        let result = result.map_err(|error| state.table.check().err().unwrap_or(error));
        effects.extend(state.table.end(instance, rank, result.clone().err()));
        self.apply(state, effects);
        result
    }

    /// The place of an instance in the order that its ranks agree on.
    pub(super) fn turn(self: &Arc<Self>, instance: InstanceId, turn: u64) {
        let mut state = self.lock();
        let effects = state.table.turn(instance, turn);
        self.apply(state, effects);
    }

    pub(super) fn cancel(self: &Arc<Self>, instance: InstanceId, rank: usize) -> bool {
        let mut state = self.lock();
        let effects = state.table.cancel(instance, rank);
        let cancelled = !effects.is_empty();
        self.apply(state, effects);
        cancelled
    }

    /// A rank submits nothing more.
    pub(super) fn leave(self: &Arc<Self>, group: u64, rank: usize) {
        let mut state = self.lock();
        let effects = state.table.leave(group, rank);
        if let Some(runner) = state.runners.get(&(group, rank)) {
            runner.wake.notify_all();
        }
        self.apply(state, effects);
    }

    /// The thread of a rank ends.
    pub(super) fn unseat(&self, group: u64, rank: usize) {
        let mut state = self.lock();
        state.runners.remove(&(group, rank));
        state.table.unseat(group, rank);
        self.watch.notify_all();
    }

    /// Fails everything, unless an earlier failure sticks; returns the one that does.
    pub(super) fn abort(self: &Arc<Self>, error: Error) -> Error {
        let mut state = self.lock();
        let mut effects = Vec::new();
        state.table.abort(error.clone(), &mut effects);
        let first = state.table.check().err().unwrap_or(error);
        self.apply(state, effects);
        first
    }

    pub(super) fn retire(&self, step: u64) {
        self.lock().table.retire(step);
    }

    /// Fails the executor when an instance is late; ends when no rank is left.
    pub(super) fn watch(self: &Arc<Self>) {
        let mut state = self.lock();
        while !state.runners.is_empty() {
            if let Some(error) = state.table.late(Instant::now()) {
                drop(state);
                self.abort(error);
                state = self.lock();
                continue;
            }
            state.next_look = state.table.next_deadline();
            let left = state.next_look.map(|at| at.saturating_duration_since(Instant::now()));
            state = match left {
                None => self.watch.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    let woken = self.watch.wait_timeout(state, left);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        state.watched = false;
    }

    /// Does what follows from a change, and gives the lock free.
    fn apply(self: &Arc<Self>, mut state: MutexGuard<'_, State>, effects: Vec<Effect>) {
        let mut ends: Ends = Vec::new();
        let mut asks = Vec::new();
        for effect in effects {
            match effect {
                Effect::Launch(instance) => state.launch(instance),
                Effect::Ask(instance, rank, wait) => {
                    let runner = state.runners.get(&(instance.group, rank));
                    let ask = |runner: &Runner| Some((runner.turns.clone()?, runner.abort.clone()));
                    asks.extend(runner.and_then(ask).map(|ask| (ask, instance, rank, wait)));
                }
                Effect::Refuse(instance, rank, error) => {
                    ends.extend(state.jobs.remove(&(instance, rank)).map(|job| (job, error)));
                }
                Effect::Fail(error) => {
                    for runner in state.runners.values() {
                        runner.abort.abort(error.clone());
                    }
                }
            }
        }
        // Whoever left may have nothing to do any more.
        for runner in state.runners.values() {
            runner.wake.notify_all();
        }
        let look = state.table.next_deadline();
        if look.is_some() && state.next_look.is_none_or(|at| look < Some(at)) {
            self.watch.notify_all();
        }
        drop(state);
        for (job, error) in ends {
            job.finish(Err(error));
        }
        for ((turns, group), instance, rank, wait) in asks {
            let shared = Arc::clone(self);
            let tell = move |turn: Result<u64>| match turn {
                Ok(turn) => shared.turn(instance, turn),
                // Of what other processes find at the same time, the first failure of the group counts.
                Err(error) => drop(shared.abort(group.abort(error))),
            };
            turns.ask(instance, rank, wait, Box::new(tell));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn launch(&mut self, instance: InstanceId) {
        for ((group, rank), runner) in &mut self.runners {
            if *group == instance.group && self.jobs.contains_key(&(instance, *rank)) {
                runner.queue.push_back(instance);
            }
        }
    }
}
