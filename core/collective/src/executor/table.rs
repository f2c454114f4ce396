//! Which instances may start: a state machine without threads or data.
//!
//! Every change is one method, called under the executor's lock; what is to be done then is among the effects.

mod cycle;
mod late;
mod open;
mod seats;
mod start;

use crate::instance::{After, InstanceId};
use open::{Open, Stage};
use ringwood_base::{Error, Result};
use seats::Seats;
use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// What follows from a change.
#[derive(Clone, Debug)]
pub(super) enum Effect {
    /// The instance starts: it is put behind those that started before, on every rank.
    Launch(InstanceId),
    /// This rank is ready: it asks for the turn of the instance.
    Ask(InstanceId, usize, Duration),
    /// The submission of this rank ends with the error, without having run.
    Refuse(InstanceId, usize, Error),
    /// The executor has failed: so do its groups.
    Fail(Error),
}

/// A submission, as far as the table is concerned.
#[derive(Clone)]
pub(super) struct Submitted {
    pub(super) after: Vec<After>,
    /// The end of the wait for the other ranks.
    pub(super) arrival: Instant,
    /// How long the call may take from when the first rank begins it.
    pub(super) execution: Duration,
}

#[derive(Clone, Default)]
pub(super) struct Table {
    groups: HashMap<u64, Seats>,
    /// Instances that some rank has submitted and that have not ended.
    open: BTreeMap<InstanceId, Open>,
    ended: HashMap<InstanceId, Ended>,
    /// When the open instances are late.
    deadlines: BTreeSet<(Instant, InstanceId)>,
    /// For each instance that has not ended, those that are to start after it and have not.
    waiters: HashMap<InstanceId, BTreeSet<InstanceId>>,
    submissions: u64,
    failure: Option<Error>,
    /// What follows from the changes, until it is done.
    pub(super) effects: Vec<Effect>,
}

#[derive(Clone)]
struct Ended {
    launched: bool,
    failure: Option<Error>,
}

impl Table {
    /// Takes a seat of a group for a rank. It is `alone` where the other ranks are in other processes.
    pub(super) fn seat(
        &mut self,
        group: u64,
        (rank, size): (usize, usize),
        alone: bool,
    ) -> Result<()> {
        self.check()?;
        if !self.groups.contains_key(&group) {
            // What ended in a group of that number before is of none.
            self.forget(|id| id.group == group);
        }
        let alone = alone.then_some(rank);
        let seats = self.groups.entry(group).or_insert_with(|| Seats::new(size, alone));
        seats.take(group, (rank, size), alone)
    }

    /// The first failure sticks.
    pub(super) fn check(&self) -> Result<()> {
        self.failure.clone().map_or(Ok(()), Err)
    }

    /// A rank comes to an instance.
    ///
    /// # Errors
    /// This submission is refused, and nothing else changes: the executor or the instance has failed
    /// already, or the rank was there before.
    pub(super) fn submit(
        &mut self,
        instance: InstanceId,
        rank: usize,
        submitted: Submitted,
    ) -> Result<()> {
        self.check()?;
        self.check_new(instance, rank)?;
        self.enter(instance, rank, submitted);
        if let Some(error) = self.groups[&instance.group].absent(instance, &self.open[&instance]) {
            self.abort(error);
        } else {
            let candidates = match cycle::find(self, instance) {
                Some(error) => self.refuse(instance, error),
                None => vec![instance],
            };
            self.examine(candidates);
        }
        Ok(())
    }

    fn enter(&mut self, instance: InstanceId, rank: usize, submitted: Submitted) {
        self.submissions += 1;
        for first in submitted.after.iter().map(|after| after.instance()) {
            if !self.ended.contains_key(&first) {
                self.waiters.entry(first).or_default().insert(instance);
            }
        }
        let number = self.submissions;
        let open = self.open.entry(instance).or_insert_with(|| Open::new(number, &submitted));
        let arrival = open.deadline.map_or(submitted.arrival, |at| at.min(submitted.arrival));
        open.execution = open.execution.min(submitted.execution);
        open.ranks.insert(rank, Stage::Submitted(submitted.after));
        self.set_deadline(instance, Some(arrival));
        *self.seats(instance).pending(rank) += 1;
    }

    fn check_new(&self, instance: InstanceId, rank: usize) -> Result<()> {
        if let Some(Ended { launched: false, failure: Some(error) }) = self.ended.get(&instance) {
            return Err(error.clone());
        }
        let there = self.open.get(&instance).is_some_and(|open| open.ranks.contains_key(&rank));
        if there || self.ended.contains_key(&instance) {
            return Err(Error::duplicate(format!("rank {rank} submits {instance} again"))
                .help("use a key once in a step, and retire steps that are over"));
        }
        Ok(())
    }

    /// A rank begins an instance that was launched.
    pub(super) fn begin(&mut self, instance: InstanceId, rank: usize) {
        let open = self.open.get_mut(&instance).expect("what begins is open");
        open.ranks.insert(rank, Stage::Running);
        let begun = open.begun();
        if open.deadline.is_none() {
            let at = ringwood_base::deadline::deadline(open.execution);
            self.set_deadline(instance, Some(at));
        }
        if begun {
            let waiters = self.waiters.get(&instance).into_iter().flatten().copied();
            self.examine(waiters.collect());
        }
    }

    /// A rank has run an instance.
    pub(super) fn end(&mut self, instance: InstanceId, rank: usize, failure: Option<Error>) {
        let open = self.open.get_mut(&instance).expect("what ends is open");
        open.ranks.insert(rank, Stage::Ended);
        open.failure = open.failure.take().or(failure);
        let over = open.over();
        *self.seats(instance).pending(rank) -= 1;
        if over {
            let waiters = self.close(instance);
            self.examine(waiters);
        }
    }

    /// The place of an instance in the order that its ranks agree on is known.
    pub(super) fn turn(&mut self, instance: InstanceId, turn: u64) {
        if self.open.contains_key(&instance)
            && let Some(agreed) = &mut self.seats(instance).agreed
        {
            agreed.turns.insert(turn, instance);
            self.examine(vec![instance]);
        }
    }

    /// A rank takes its submission back: the instance is refused on every rank. Not when it has
    /// started, or failed already, or other processes count on it. Whether it was refused.
    pub(super) fn cancel(&mut self, instance: InstanceId, rank: usize) -> bool {
        let alone = self.groups.get(&instance.group).is_none_or(|group| group.agreed.is_none());
        let cancels = alone && self.open.get(&instance).is_some_and(|open| !open.launched);
        if cancels {
            let message = format!("rank {rank} cancelled {instance}");
            let waiters = self.refuse(instance, Error::aborted(message));
            self.examine(waiters);
        }
        cancels
    }

    /// A rank submits nothing more; instances that lack it will never start.
    pub(super) fn leave(&mut self, group: u64, rank: usize) {
        let Some(seats) = self.groups.get_mut(&group) else { return };
        seats.leave(rank);
        let seats = &self.groups[&group];
        let lacking = |(id, open): (&InstanceId, &Open)| seats.absent(*id, open);
        let key = |least| InstanceId { group, step: least, key: least };
        let error = self.open.range(key(0)..=key(u64::MAX)).find_map(lacking);
        if let Some(error) = error {
            self.abort(error);
        }
    }

    /// A rank that left has ended its last instance. After the last rank, the number is free; what ended stays known
    /// until it is taken again, for what is to come after it.
    pub(super) fn unseat(&mut self, group: u64, rank: usize) {
        if self.groups.get_mut(&group).is_some_and(|seats| seats.free(rank)) {
            self.groups.remove(&group);
        }
    }

    /// Whether a rank has left and has nothing open.
    pub(super) fn is_over(&self, group: u64, rank: usize) -> bool {
        self.groups.get(&group).is_none_or(|seats| seats.is_over(rank))
    }

    /// Fails everything: what has not begun is refused, what is submitted later too. The failure that
    /// sticks, which may be an earlier one.
    pub(super) fn abort(&mut self, error: Error) -> Error {
        if let Some(first) = &self.failure {
            return first.clone();
        }
        self.failure = Some(error.clone());
        self.effects.push(Effect::Fail(error.clone()));
        for instance in self.open.keys().copied().collect::<Vec<_>>() {
            self.refuse(instance, error.clone());
        }
        error
    }

    /// Forgets the instances of a step that are over.
    pub(super) fn retire(&mut self, step: u64) {
        self.forget(|id| id.step == step);
    }

    /// Forgets the chosen instances that are over; their keys are free again.
    fn forget(&mut self, chosen: impl Fn(&InstanceId) -> bool) {
        let Self { open, ended, .. } = self;
        let stages = open.values_mut().flat_map(|open| open.ranks.values_mut());
        for stage in stages {
            // What comes after one that failed is not open any more: these have come far enough.
            if let Stage::Submitted(after) = stage {
                let over = |id: InstanceId| chosen(&id) && ended.contains_key(&id);
                after.retain(|after| !over(after.instance()));
            }
        }
        ended.retain(|id, _| !chosen(id));
    }

    /// Ends an instance for the ranks that have not begun it; who may start or fail after that.
    fn refuse(&mut self, instance: InstanceId, error: Error) -> Vec<InstanceId> {
        self.stop_waiting(instance);
        let Some(open) = self.open.get_mut(&instance) else { return Vec::new() };
        let seats = self.groups.get_mut(&instance.group).expect("what is open has a group");
        open.failure.get_or_insert_with(|| error.clone());
        for (rank, stage) in &mut open.ranks {
            if matches!(stage, Stage::Submitted(_)) {
                *stage = Stage::Ended;
                *seats.pending(*rank) -= 1;
                self.effects.push(Effect::Refuse(instance, *rank, error.clone()));
            }
        }
        if open.over() { self.close(instance) } else { Vec::new() }
    }

    /// Moves an instance to those that have ended; who waited for it.
    fn close(&mut self, instance: InstanceId) -> Vec<InstanceId> {
        self.set_deadline(instance, None);
        let open = self.open.remove(&instance).expect("what is closed is open");
        let ended = Ended { launched: open.launched, failure: open.failure };
        self.ended.insert(instance, ended);
        let waiters = self.waiters.remove(&instance).into_iter().flatten();
        waiters.chain(self.next_in_order(instance.group)).collect()
    }

    /// Those that the instance waits for need not tell it any more: it starts, or never will.
    fn stop_waiting(&mut self, instance: InstanceId) {
        let afters = self.open.get(&instance).into_iter().flat_map(Open::afters);
        for first in afters.map(After::instance) {
            if let Entry::Occupied(mut waiters) = self.waiters.entry(first) {
                waiters.get_mut().remove(&instance);
                if waiters.get().is_empty() {
                    waiters.remove();
                }
            }
        }
    }

    fn seats(&mut self, instance: InstanceId) -> &mut Seats {
        self.groups.get_mut(&instance.group).expect("what is open has a group")
    }
}

#[cfg(test)]
mod tests;
