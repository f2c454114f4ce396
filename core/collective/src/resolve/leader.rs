//! The leader of a rendezvous: a state machine without threads, clocks or I/O.

mod membership;
mod steps;
mod turns;

use super::group::GroupRecord;
use super::instance::InstanceRecord;
use super::message::{Answer, Ask, Fault, Question, Reply};
use crate::{Group, InstanceId};
use membership::Membership;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_transport::Bootstrap;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use steps::StepSequences;
use turns::LeaderTurns;

/// A worker's connection, as its owner numbers it; a worker that is started again is another one.
pub(super) type Worker = u64;

/// The leader of a rendezvous: it gathers members, checks instances, gives them an order and numbers
/// steps for workers of any number of processes.
///
/// It is given what arrives and what time it is, from any start, and returns what is to be sent.
/// Equivalent to the group leader of TensorFlow's `CollectiveParamResolverDistributed`.
pub(super) struct Leader {
    registry: Arc<Registry>,
    groups: HashMap<u64, GroupRecord>,
    instances: HashMap<(u64, u64), InstanceRecord>,
    membership: Membership,
    /// Where the ranks of each group connect.
    bootstraps: HashMap<u64, Result<Bootstrap>>,
    steps: StepSequences,
    turns: LeaderTurns,
    /// The questions that have no answer yet, by worker and number.
    open: BTreeMap<(Worker, u64), Open>,
    aborted: Option<Error>,
}

struct Open {
    question: Question,
    deadline: Duration,
}

impl Leader {
    /// A leader that looks algorithms and transports up in `registry`.
    pub(super) fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            groups: HashMap::new(),
            instances: HashMap::new(),
            membership: Membership::default(),
            bootstraps: HashMap::new(),
            steps: StepSequences::default(),
            turns: LeaderTurns::default(),
            open: BTreeMap::new(),
            aborted: None,
        }
    }

    /// The ranks of a group connect here.
    pub(super) fn bootstrap(&mut self, group: u64, bootstrap: Bootstrap) {
        self.bootstraps.insert(group, Ok(bootstrap));
    }

    /// A question has arrived; what is to be sent.
    pub(super) fn receive(
        &mut self,
        now: Duration,
        from: Worker,
        ask: Ask,
    ) -> Vec<(Worker, Reply)> {
        self.take_in(from, &ask.question);
        let deadline = now.saturating_add(ask.wait);
        self.open.insert((from, ask.id), Open { question: ask.question, deadline });
        self.settle(now)
    }

    /// A worker is lost: its connection broke, or its process ended. Every worker that counts on it
    /// gets an error that says so, now or when it asks.
    pub(super) fn lost(&mut self, now: Duration, worker: Worker) -> Vec<(Worker, Reply)> {
        self.open.retain(|(from, _), _| *from != worker);
        for (group, error) in self.membership.lose(worker) {
            if let Some(record) = self.groups.get_mut(&group) {
                record.fail(error.clone());
            }
            let of_group = self.instances.iter_mut().filter(|((g, _), _)| *g == group);
            for (_, instance) in of_group {
                instance.fail(error.clone());
            }
        }
        self.settle(now)
    }

    /// Time has passed; what is to be sent to those who waited too long.
    pub(super) fn tick(&mut self, now: Duration) -> Vec<(Worker, Reply)> {
        self.settle(now)
    }

    /// When the next question is late.
    pub(super) fn next_deadline(&self) -> Option<Duration> {
        self.open.values().map(|open| open.deadline).min()
    }

    /// Does what a question asks for, apart from answering it.
    fn take_in(&mut self, from: Worker, question: &Question) {
        match question {
            Question::Join(member) => {
                let key = member.group;
                let record = self.groups.entry(key).or_insert_with(|| GroupRecord::new(member));
                if record.refuses(member).is_some() {
                    return;
                }
                match self.membership.join(from, member) {
                    Ok(()) => record.join(member),
                    Err(error) => record.fail(error),
                }
            }
            Question::Instance { group, device, request } => {
                let Ok(view) = self.view(*group, device) else { return };
                let record = self.instances.entry((*group, request.key));
                let record = record.or_insert_with(|| InstanceRecord::new(&view));
                record.arrive(&view, request, &self.registry);
                if let Some(error) = self.membership.lost(*group) {
                    record.fail(error.clone());
                }
            }
            Question::Cancel { group } => {
                if let Some(record) = self.groups.get_mut(group) {
                    record.cancel();
                }
            }
            Question::Abort(fault) => {
                self.aborted.get_or_insert_with(|| fault.clone().into());
            }
            Question::Turn { instance, rank } => {
                let size = self.size(instance.group, &rank);
                if let Some(size) = size.ok().filter(|size| rank < size) {
                    self.turns.ready(*instance, *rank, size);
                }
            }
            Question::Bootstrap { group, transport } => {
                let Ok(size) = self.size(*group, &"a rank") else { return };
                let registry = Arc::clone(&self.registry);
                let make =
                    || Group::builder(size).registry(registry).transport(transport).bootstrap();
                self.bootstraps.entry(*group).or_insert_with(make);
            }
            Question::Step { .. } | Question::Retire { .. } => {}
        }
    }

    /// Answers what can be answered.
    fn settle(&mut self, now: Duration) -> Vec<(Worker, Reply)> {
        let mut replies = Vec::new();
        loop {
            // A late question settles others, which come before it.
            let before = replies.len();
            for ((worker, id), open) in std::mem::take(&mut self.open) {
                let late = open.deadline <= now;
                let answer = self.answer(worker, &open.question, late);
                match answer.or_else(|| late.then(|| Err(too_late(id)))) {
                    None => drop(self.open.insert((worker, id), open)),
                    Some(answer) => {
                        let answer = answer.map_err(|error| Fault::from(&error));
                        replies.push((worker, Reply { id, answer }));
                    }
                }
            }
            if replies.len() == before {
                return replies;
            }
        }
    }

    /// The answer to a question, if there is one; when it is `late`, there is.
    fn answer(&mut self, from: Worker, question: &Question, late: bool) -> Option<Result<Answer>> {
        if let Some(error) = self.aborted.as_ref().filter(|_| question.waits()) {
            return Some(Err(error.clone()));
        }
        match question {
            Question::Join(member) => {
                // Whoever restarted a member of a complete group is told, and nobody else.
                if let Err(error) = self.membership.check(from, member) {
                    return Some(Err(error));
                }
                let group = self.groups.get_mut(&member.group)?.answer(member, late)?;
                let lost = self.membership.lost(member.group);
                Some(lost.map_or_else(|| group.map(|g| Answer::from(&g)), |e| Err(e.clone())))
            }
            Question::Instance { group, device, request } => {
                let view = match self.view(*group, device) {
                    Ok(view) => view,
                    Err(error) => return Some(Err(error)),
                };
                let key = (*group, request.key);
                let record = self.instances.get_mut(&key)?;
                let answer = record.answer(&view, request.key, late)?;
                if record.is_over() {
                    self.instances.remove(&key);
                }
                Some(answer.map(|instance| Answer::Instance(Box::new(instance))))
            }
            Question::Bootstrap { group, .. } => Some(self.address(*group)),
            Question::Turn { instance, rank } => self.turn(*instance, *rank, late),
            Question::Cancel { .. } | Question::Abort(_) => Some(Ok(Answer::Done)),
            Question::Step { graph } => Some(Ok(Answer::Step(self.steps.due(*graph)))),
            Question::Retire { graph, step } => {
                Some(self.steps.retire(*graph, *step).map(Answer::Step))
            }
        }
    }

    /// A complete group as the member on `device` sees it.
    fn view(&self, group: u64, device: &str) -> Result<super::ResolvedGroup> {
        let view = self.groups.get(&group).and_then(|record| record.view(device));
        view.unwrap_or_else(|| Err(unknown(group, &device)))
    }

    /// The size of a complete group.
    ///
    /// # Errors
    /// It is not complete, or has failed.
    fn size(&self, group: u64, who: &dyn Display) -> Result<usize> {
        let size = self.groups.get(&group).and_then(GroupRecord::complete_size);
        size.unwrap_or_else(|| Err(unknown(group, who)))
    }

    fn turn(&mut self, instance: InstanceId, rank: usize, late: bool) -> Option<Result<Answer>> {
        if let Some(error) = self.membership.lost(instance.group) {
            return Some(Err(error.clone()));
        }
        let size = match self.size(instance.group, &format_args!("rank {rank}")) {
            Ok(size) if rank < size => size,
            Ok(_) => return Some(Err(unknown(instance.group, &format_args!("rank {rank}")))),
            Err(error) => return Some(Err(error)),
        };
        let turn = self.turns.answer(instance, rank, size, late)?;
        Some(turn.map(Answer::Turn))
    }

    fn address(&self, group: u64) -> Result<Answer> {
        if let Some(error) = self.membership.lost(group) {
            return Err(error.clone());
        }
        match self.bootstraps.get(&group) {
            Some(Ok(bootstrap)) => Ok(Answer::Address(bootstrap.address().to_owned())),
            Some(Err(error)) => Err(error.clone()),
            // None is made before the group is complete.
            None => {
                Err(self.size(group, &"a rank").err().unwrap_or_else(|| unknown(group, &"a rank")))
            }
        }
    }
}

fn too_late(id: u64) -> Error {
    Error::new(ErrorKind::Timeout, format!("question {id} to the leader has no answer in time"))
}

fn unknown(group: u64, who: &dyn Display) -> Error {
    let message = format!("{who} asks about group {group}, which is not complete");
    Error::new(ErrorKind::NotFound, message)
        .help("join the group first; a leader that was started again has lost it")
}

#[cfg(test)]
pub(super) mod tests;
