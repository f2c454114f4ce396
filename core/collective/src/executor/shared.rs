//! What the threads of an executor share: the table, the submissions, the queues of the ranks.

use super::job::Job;
use super::table::{Effect, Submitted, Table};
use crate::{AbortHandle, Communicator, InstanceId, Turns};
use ringwood_base::Result;
use ringwood_base::sync::{Condvar, Mutex, MutexGuard};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

#[derive(Default)]
pub(super) struct Shared {
    state: Mutex<State>,
    /// The ranks sleep here.
    ranks: Condvar,
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
    abort: AbortHandle,
}

impl Shared {
    /// Takes the seat of a rank; whether a watch must be started.
    pub(super) fn seat(&self, group: u64, comm: &Communicator) -> Result<bool> {
        let (rank, turns) = (comm.rank(), comm.shared.turns.clone());
        let mut state = self.lock();
        state.table.seat(group, (rank, comm.size()), turns.is_some())?;
        let runner = Runner { queue: VecDeque::new(), turns, abort: comm.abort_handle() };
        state.runners.insert((group, rank), runner);
        Ok(!std::mem::replace(&mut state.watched, true))
    }

    pub(super) fn submit(
        self: &Arc<Self>,
        instance: InstanceId,
        rank: usize,
        submitted: Submitted,
        job: Box<dyn Job>,
    ) {
        let mut state = self.lock();
        if let Err(error) = state.table.submit(instance, rank, submitted) {
            drop(state);
            return job.finish(Err(error));
        }
        state.jobs.insert((instance, rank), job);
        self.apply(state);
    }

    /// The next submission of a rank to run; `None` when it has left and all are over.
    pub(super) fn next(
        self: &Arc<Self>,
        group: u64,
        rank: usize,
    ) -> Option<(InstanceId, Box<dyn Job>)> {
        let mut state = self.lock();
        loop {
            if let Some(instance) = state.runners.get_mut(&(group, rank))?.queue.pop_front() {
                // One that was refused meanwhile has no job any more.
                let Some(job) = state.jobs.remove(&(instance, rank)) else { continue };
                state.table.begin(instance, rank);
                self.apply(state);
                return Some((instance, job));
            }
            if state.table.is_over(group, rank) {
                return None;
            }
            state = self.ranks.wait(state).unwrap_or_else(PoisonError::into_inner);
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
        self.change(|table| {
            if let Err(failure) = group {
                table.abort(failure);
            }
            let result = result.map_err(|error| table.check().err().unwrap_or(error));
            table.end(instance, rank, result.clone().err());
            result
        })
    }

    /// The thread of a rank ends.
    pub(super) fn unseat(&self, group: u64, rank: usize) {
        let mut state = self.lock();
        let runner = state.runners.remove(&(group, rank));
        state.table.unseat(group, rank);
        self.watch.notify_all();
        drop(state);
        runner.and_then(|runner| runner.turns).into_iter().for_each(|turns| turns.leave(rank));
    }

    /// Fails the executor when an instance is late; ends when no rank is left.
    pub(super) fn watch(self: &Arc<Self>) {
        let mut state = self.lock();
        while !state.runners.is_empty() {
            if let Some(error) = state.table.late(Instant::now()) {
                state.table.abort(error);
                self.apply(state);
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

    /// Changes the table, and does what follows.
    pub(super) fn change<R>(self: &Arc<Self>, change: impl FnOnce(&mut Table) -> R) -> R {
        let mut state = self.lock();
        let result = change(&mut state.table);
        self.apply(state);
        result
    }

    /// Does what follows from changes of the table, and gives the lock free. Handles and the rendezvous are
    /// told when it is free.
    fn apply(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let (mut ends, mut asks) = (Vec::new(), Vec::new());
        for effect in std::mem::take(&mut state.table.effects) {
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
        self.ranks.notify_all();
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
                Ok(turn) => shared.change(|table| table.turn(instance, turn)),
                // Of what other processes find at the same time, the first failure of the group counts.
                Err(error) => drop(shared.change(|table| table.abort(group.abort(error)))),
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
