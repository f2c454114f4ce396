//! Which instances may start: a state machine without threads or data.
//!
//! Every change is one method, called under the executor's lock; it returns what is to be done.

mod cycle;
mod late;
mod seats;

use super::instance::{After, InstanceId};
use crate::{Error, ErrorKind, Result};
use seats::Seats;
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// What follows from a change.
#[derive(Debug)]
pub(super) enum Effect {
    /// The instance starts: it is put behind those that started before, on every rank.
    Launch(InstanceId),
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
    /// For each instance, those that were submitted to start after it.
    waiters: HashMap<InstanceId, Vec<InstanceId>>,
    submissions: u64,
    failure: Option<Error>,
}

#[derive(Clone)]
struct Open {
    ranks: BTreeMap<usize, Stage>,
    /// Its place among all submissions.
    number: u64,
    launched: bool,
    /// None while it waits for its turn behind others, which have theirs.
    deadline: Option<Instant>,
    execution: Duration,
    failure: Option<Error>,
}

#[derive(Clone, PartialEq, Eq)]
enum Stage {
    /// It has not begun, and may when these have.
    Submitted(Vec<After>),
    Running,
    Ended,
}

#[derive(Clone)]
struct Ended {
    launched: bool,
    failure: Option<Error>,
}

impl Table {
    /// Takes a seat of a group for a rank; `alone` when the other ranks are elsewhere.
    ///
    /// # Errors
    /// The executor has failed, the seat is taken, or the group has another size.
    pub(super) fn seat(&mut self, group: u64, rank: usize, size: usize, alone: bool) -> Result<()> {
        self.check()?;
        let seats = self.groups.entry(group).or_insert_with(|| Seats::new(size, alone, rank));
        seats.take(group, rank, size, alone)
    }

    /// The first failure, which sticks.
    ///
    /// # Errors
    /// That failure.
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
    ) -> Result<Vec<Effect>> {
        self.check()?;
        self.check_new(instance, rank)?;
        self.submissions += 1;
        for after in &submitted.after {
            self.waiters.entry(after.instance()).or_default().push(instance);
        }
        let number = self.submissions;
        let open = self.open.entry(instance).or_insert_with(|| Open::new(number, &submitted));
        open.deadline = open.deadline.map(|at| at.min(submitted.arrival));
        open.execution = open.execution.min(submitted.execution);
        open.ranks.insert(rank, Stage::Submitted(submitted.after));
        let mut effects = Vec::new();
        if let Some(error) = self.groups[&instance.group].absent(instance, &self.open[&instance]) {
            self.abort(error, &mut effects);
        } else {
            let candidates = match cycle::find(self, instance) {
                Some(error) => self.refuse(instance, error, &mut effects),
                None => vec![instance],
            };
            self.examine(candidates, &mut effects);
        }
        Ok(effects)
    }

    fn check_new(&self, instance: InstanceId, rank: usize) -> Result<()> {
        if let Some(Ended { launched: false, failure: Some(error) }) = self.ended.get(&instance) {
            return Err(error.clone());
        }
        let there = self.open.get(&instance).is_some_and(|open| open.ranks.contains_key(&rank));
        if there || self.ended.contains_key(&instance) {
            let message = format!("rank {rank} submits {instance} again");
            return Err(Error::new(ErrorKind::Duplicate, message)
                .help("use a key once in a step, and retire steps that are over"));
        }
        Ok(())
    }

    /// A rank begins an instance that was launched.
    pub(super) fn begin(&mut self, instance: InstanceId, rank: usize) -> Vec<Effect> {
        let mut effects = Vec::new();
        let open = self.open.get_mut(&instance).expect("what begins is open");
        open.ranks.insert(rank, Stage::Running);
        open.deadline.get_or_insert_with(|| crate::deadline::deadline(open.execution));
        if open.begun() {
            let waiters = self.waiters.get(&instance).cloned().unwrap_or_default();
            self.examine(waiters, &mut effects);
        }
        effects
    }

    /// A rank has run an instance.
    pub(super) fn end(
        &mut self,
        instance: InstanceId,
        rank: usize,
        failure: Option<Error>,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        let open = self.open.get_mut(&instance).expect("what ends is open");
        open.ranks.insert(rank, Stage::Ended);
        open.failure = open.failure.take().or(failure);
        if open.ranks.values().all(|stage| *stage == Stage::Ended) {
            let waiters = self.close(instance);
            self.examine(waiters, &mut effects);
        }
        effects
    }

    /// A rank takes its submission back: the instance is refused on every rank. Nothing happens
    /// when it has started, or failed already.
    pub(super) fn cancel(&mut self, instance: InstanceId, rank: usize) -> Vec<Effect> {
        let mut effects = Vec::new();
        if self.open.get(&instance).is_some_and(|open| !open.launched) {
            let message = format!("rank {rank} cancelled {instance}");
            let error = Error::new(ErrorKind::Aborted, message);
            let waiters = self.refuse(instance, error, &mut effects);
            self.examine(waiters, &mut effects);
        }
        effects
    }

    /// A rank submits nothing more; instances that lack it will never start.
    pub(super) fn leave(&mut self, group: u64, rank: usize) -> Vec<Effect> {
        let mut effects = Vec::new();
        let Some(seats) = self.groups.get_mut(&group) else { return effects };
        seats.leave(rank);
        let seats = &self.groups[&group];
        let lacking = |(id, open): (&InstanceId, &Open)| seats.absent(*id, open);
        let error = self.of_group(group).find_map(lacking);
        if let Some(error) = error {
            self.abort(error, &mut effects);
        }
        effects
    }

    /// A rank that left has ended its last instance.
    pub(super) fn unseat(&mut self, group: u64, rank: usize) {
        if self.groups.get_mut(&group).is_some_and(|seats| seats.free(rank)) {
            self.groups.remove(&group);
        }
    }

    /// Whether a rank has left and has nothing open.
    pub(super) fn is_over(&self, group: u64, rank: usize) -> bool {
        let pending =
            |open: &Open| open.ranks.get(&rank).is_some_and(|stage| *stage != Stage::Ended);
        self.groups.get(&group).is_none_or(|seats| seats.has_left(rank))
            && !self.of_group(group).any(|(_, open)| pending(open))
    }

    /// Fails everything: what has not begun is refused, what is submitted later too.
    pub(super) fn abort(&mut self, error: Error, effects: &mut Vec<Effect>) {
        if self.failure.is_some() {
            return;
        }
        self.failure = Some(error.clone());
        effects.push(Effect::Fail(error.clone()));
        for instance in self.open.keys().copied().collect::<Vec<_>>() {
            self.refuse(instance, error.clone(), effects);
        }
    }

    /// Forgets the instances of a step that are over; their keys are free again.
    pub(super) fn retire(&mut self, step: u64) {
        self.ended.retain(|id, _| id.step != step);
    }

    /// Ends an instance for the ranks that have not begun it; who may start or fail after that.
    fn refuse(
        &mut self,
        instance: InstanceId,
        error: Error,
        effects: &mut Vec<Effect>,
    ) -> Vec<InstanceId> {
        let Some(open) = self.open.get_mut(&instance) else { return Vec::new() };
        open.failure.get_or_insert_with(|| error.clone());
        for (rank, stage) in &mut open.ranks {
            if matches!(stage, Stage::Submitted(_)) {
                *stage = Stage::Ended;
                effects.push(Effect::Refuse(instance, *rank, error.clone()));
            }
        }
        let over = open.ranks.values().all(|stage| *stage == Stage::Ended);
        if over { self.close(instance) } else { Vec::new() }
    }

    /// Moves an instance to those that have ended; who waited for it.
    fn close(&mut self, instance: InstanceId) -> Vec<InstanceId> {
        let open = self.open.remove(&instance).expect("what is closed is open");
        let ended = Ended { launched: open.launched, failure: open.failure };
        self.ended.insert(instance, ended);
        let mut waiters = self.waiters.remove(&instance).unwrap_or_default();
        waiters.extend(self.next_in_order(instance.group));
        waiters
    }

    /// Launches or refuses those of `candidates` that may start or never will.
    fn examine(&mut self, mut candidates: Vec<InstanceId>, effects: &mut Vec<Effect>) {
        candidates.sort_by_key(|id| std::cmp::Reverse(self.open.get(id).map(|open| open.number)));
        while let Some(instance) = candidates.pop() {
            match self.may_start(instance) {
                None => {}
                Some(Err(error)) => candidates.extend(self.refuse(instance, error, effects)),
                Some(Ok(())) => {
                    let open = self.open.get_mut(&instance).expect("what may start is open");
                    open.launched = true;
                    open.deadline = None;
                    effects.push(Effect::Launch(instance));
                    candidates.extend(self.next_in_order(instance.group));
                }
            }
        }
    }

    /// Whether an instance starts now, or never; `None` when it waits, or is past that.
    fn may_start(&self, instance: InstanceId) -> Option<Result<()>> {
        let open = self.open.get(&instance).filter(|open| !open.launched)?;
        let seats = &self.groups[&instance.group];
        let mut waits = seats.in_order && self.next_in_order(instance.group) != Some(instance);
        for stage in open.ranks.values() {
            let Stage::Submitted(after) = stage else { continue };
            for after in after {
                match self.reached(*after) {
                    Some(Ok(())) => {}
                    None => waits = true,
                    // As it is: a chain of causes would bury the first one.
                    Some(Err(cause)) => return Some(Err(cause)),
                }
            }
        }
        let all = seats.expected().all(|rank| open.ranks.contains_key(&rank));
        (all && !waits).then_some(Ok(()))
    }

    /// Whether what must come first has come that far; an error when it never will.
    fn reached(&self, after: After) -> Option<Result<()>> {
        let other = after.instance();
        let launched = matches!(after, After::Launched(_));
        if let Some(ended) = self.ended.get(&other) {
            let fine = ended.launched && launched;
            return Some(ended.failure.clone().filter(|_| !fine).map_or(Ok(()), Err));
        }
        (launched && self.open.get(&other)?.begun()).then_some(Ok(()))
    }

    /// The instance that a group which keeps the order of submission starts next.
    fn next_in_order(&self, group: u64) -> Option<InstanceId> {
        self.groups.get(&group).filter(|seats| seats.in_order)?;
        let unlaunched = self.of_group(group).filter(|(_, open)| !open.launched);
        unlaunched.min_by_key(|(_, open)| open.number).map(|(id, _)| *id)
    }

    fn of_group(&self, group: u64) -> impl Iterator<Item = (&InstanceId, &Open)> {
        let first = InstanceId { group, step: 0, key: 0 };
        let last = InstanceId { group, step: u64::MAX, key: u64::MAX };
        self.open.range(first..=last)
    }
}

impl Open {
    fn new(number: u64, first: &Submitted) -> Self {
        Self {
            ranks: BTreeMap::new(),
            number,
            launched: false,
            deadline: Some(first.arrival),
            execution: first.execution,
            failure: None,
        }
    }

    /// Whether every rank of this executor has begun it.
    fn begun(&self) -> bool {
        self.launched && !self.ranks.values().any(|stage| matches!(stage, Stage::Submitted(_)))
    }
}

#[cfg(test)]
mod tests;
