//! The leader of a resolution across processes: a state machine without threads, clocks or I/O.

mod membership;
mod steps;
mod turns;

use super::group::GroupRecord;
use super::instance::InstanceRecord;
use super::message::{Answer, Ask, Fault, Question, Reply};
use crate::executor::InstanceId;
use membership::Membership;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;
use steps::LeaderSteps;
use turns::LeaderTurns;

/// A worker's connection, as its owner numbers it; a worker that is started again is another one.
pub type Worker = u64;

/// The leader of a resolution: it gathers members, checks instances and numbers steps for workers
/// of any number of processes.
///
/// It is given what arrives and what time it is, from any start, and returns what is to be sent, so
/// any channel can carry it: [`LeaderHost`](super::LeaderHost) drives one over streams. Questions
/// may arrive late, twice or again after a loss; each is answered once, and the same answer is sent
/// again when it is asked again. Equivalent to the group leader of TensorFlow's
/// `CollectiveParamResolverDistributed`.
///
/// ```
/// use ringwood_collective::resolve::{Answer, Ask, Leader, Member, Question};
/// use ringwood_base::registry::Registry;
/// use std::time::Duration;
///
/// let mut leader = Leader::new(Registry::default());
/// let ask = |device: &str| {
///     let question = Question::Join(Member::new(1, 2, "cpu", device));
///     Ask { id: 1, settled: 1, wait: Duration::from_secs(5), question }
/// };
/// assert!(leader.receive(Duration::ZERO, 10, ask("/host:0/cpu:0")).is_empty());
/// let replies = leader.receive(Duration::ZERO, 20, ask("/host:1/cpu:0"));
/// let [(10, reply), (20, _)] = &replies[..] else { panic!("both workers are answered") };
/// assert!(matches!(reply.answer, Ok(Answer::Group { key: 1, .. })));
/// ```
pub struct Leader {
    registry: Arc<Registry>,
    groups: HashMap<u64, GroupRecord>,
    instances: HashMap<(u64, u64), InstanceRecord>,
    membership: Membership,
    /// Where groups meet; each is told once.
    meetings: HashMap<u64, String>,
    steps: LeaderSteps,
    turns: LeaderTurns,
    workers: BTreeMap<Worker, Questions>,
    gone: BTreeSet<Worker>,
    aborted: Option<Error>,
}

/// The questions of a worker.
#[derive(Default)]
struct Questions {
    open: BTreeMap<u64, Open>,
    /// Answers that the worker may ask for again.
    answered: BTreeMap<u64, Reply>,
    settled: u64,
}

struct Open {
    question: Question,
    deadline: Duration,
}

impl Leader {
    /// A leader that looks algorithms up in `registry`.
    pub fn new(registry: impl Into<Arc<Registry>>) -> Self {
        Self {
            registry: registry.into(),
            groups: HashMap::new(),
            instances: HashMap::new(),
            membership: Membership::default(),
            meetings: HashMap::new(),
            steps: LeaderSteps::default(),
            turns: LeaderTurns::default(),
            workers: BTreeMap::new(),
            gone: BTreeSet::new(),
            aborted: None,
        }
    }

    /// A question has arrived; what is to be sent.
    pub fn receive(&mut self, now: Duration, from: Worker, ask: Ask) -> Vec<(Worker, Reply)> {
        if self.gone.contains(&from) {
            return Vec::new();
        }
        let questions = self.workers.entry(from).or_default();
        questions.settled = questions.settled.max(ask.settled);
        questions.answered = questions.answered.split_off(&questions.settled);
        if ask.id < questions.settled || questions.open.contains_key(&ask.id) {
            return Vec::new();
        }
        if let Some(reply) = questions.answered.get(&ask.id) {
            return vec![(from, reply.clone())];
        }
        let deadline = now.saturating_add(ask.wait);
        questions.open.insert(ask.id, Open { question: ask.question.clone(), deadline });
        self.take_in(from, ask.question);
        self.settle(now)
    }

    /// A worker is lost: its connection broke, or its process ended. Every worker that counts on it
    /// gets an error that says so, now or when it asks.
    pub fn lost(&mut self, now: Duration, worker: Worker) -> Vec<(Worker, Reply)> {
        self.workers.remove(&worker);
        self.gone.insert(worker);
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
    pub fn tick(&mut self, now: Duration) -> Vec<(Worker, Reply)> {
        self.settle(now)
    }

    /// When the next question is late.
    pub fn next_deadline(&self) -> Option<Duration> {
        let open = self.workers.values().flat_map(|questions| questions.open.values());
        open.map(|open| open.deadline).min()
    }

    /// Does what a question asks for, apart from answering it.
    fn take_in(&mut self, from: Worker, question: Question) {
        match question {
            Question::Join(member) => {
                let key = member.group;
                let record = self.groups.entry(key).or_insert_with(|| GroupRecord::new(&member));
                match self.membership.join(from, &member) {
                    Ok(()) => drop(record.join(&member)),
                    Err(error) => record.fail(error),
                }
            }
            Question::Instance { group, device, request } => {
                let Some(Some(Ok(view))) =
                    self.groups.get_mut(&group).map(|record| record.view(&device))
                else {
                    return;
                };
                let record = self.instances.entry((group, request.key));
                let record = record.or_insert_with(|| InstanceRecord::new(&request));
                record.arrive(&view, &request, &self.registry);
                if let Some(error) = self.membership.lost(group) {
                    record.fail(error.clone());
                }
            }
            Question::Cancel { group } => {
                if let Some(record) = self.groups.get_mut(&group) {
                    record.cancel();
                }
            }
            Question::Abort(fault) => {
                self.aborted.get_or_insert(fault.into());
            }
            Question::Turn { instance, rank } => {
                if let Some(size) = self.size(instance.group) {
                    self.turns.ready(instance, rank, size);
                }
            }
            Question::Meet { group, address: Some(address) } => {
                self.meetings.entry(group).or_insert(address);
            }
            Question::Meet { .. } | Question::Step { .. } | Question::Retire { .. } => {}
        }
    }

    /// Answers what can be answered.
    fn settle(&mut self, now: Duration) -> Vec<(Worker, Reply)> {
        let mut replies = Vec::new();
        loop {
            // A late question settles others, which come before it.
            let ready = self.workers.iter().flat_map(|(worker, questions)| {
                questions.open.iter().map(|(id, open)| (*worker, *id, open.deadline <= now))
            });
            let ready: Vec<_> = ready.collect();
            let before = replies.len();
            for (worker, id, late) in ready {
                let question = self.workers[&worker].open[&id].question.clone();
                let answer = self.answer(worker, &question, late);
                let Some(answer) = answer.or_else(|| late.then(|| Err(too_late(id)))) else {
                    continue;
                };
                let reply = Reply { id, answer: answer.map_err(|error| Fault::from(&error)) };
                if let Some(questions) = self.workers.get_mut(&worker) {
                    questions.open.remove(&id);
                    questions.answered.insert(id, reply.clone());
                }
                replies.push((worker, reply));
            }
            if replies.len() == before {
                return replies;
            }
        }
    }

    /// The answer to a question, if there is one; when it is `late`, there is.
    fn answer(&mut self, from: Worker, question: &Question, late: bool) -> Option<Result<Answer>> {
        let waits = matches!(
            question,
            Question::Join(_)
                | Question::Instance { .. }
                | Question::Meet { .. }
                | Question::Turn { .. }
        );
        if let Some(error) = self.aborted.as_ref().filter(|_| waits) {
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
                let view = self.groups.get_mut(group).and_then(|record| record.view(device));
                let view = match view.unwrap_or_else(|| Err(unknown(*group, device))) {
                    Ok(view) => view,
                    Err(error) => return Some(Err(error)),
                };
                let record = self.instances.get_mut(&(*group, request.key))?;
                let answer = record.answer(&view, late)?;
                Some(answer.map(|instance| Answer::Instance(Box::new(instance))))
            }
            Question::Meet { group, .. } => self.meeting(*group, late),
            Question::Turn { instance, rank } => self.turn(*instance, *rank, late),
            Question::Cancel { .. } | Question::Abort(_) => Some(Ok(Answer::Done)),
            Question::Step { graph } => Some(Ok(Answer::Step(self.steps.due(*graph)))),
            Question::Retire { graph, step } => {
                Some(self.steps.retire(*graph, *step).map(Answer::Step))
            }
        }
    }
}

impl Leader {
    /// The size of a complete group.
    fn size(&self, group: u64) -> Option<usize> {
        self.groups.get(&group).and_then(GroupRecord::complete_size)
    }

    fn turn(&mut self, instance: InstanceId, rank: usize, late: bool) -> Option<Result<Answer>> {
        if let Some(error) = self.membership.lost(instance.group) {
            return Some(Err(error.clone()));
        }
        let Some(size) = self.size(instance.group).filter(|size| rank < *size) else {
            return Some(Err(unknown(instance.group, &format!("rank {rank}"))));
        };
        let turn = self.turns.answer(instance, rank, size, late)?;
        Some(turn.map(Answer::Turn))
    }

    fn meeting(&self, group: u64, late: bool) -> Option<Result<Answer>> {
        if let Some(error) = self.membership.lost(group) {
            return Some(Err(error.clone()));
        }
        let address = self.meetings.get(&group).map(|address| Ok(Answer::Address(address.clone())));
        let absent = || {
            let message = format!("rank 0 of group {group} made no place to meet in time");
            Err(Error::new(ErrorKind::Timeout, message))
        };
        address.or_else(|| late.then(absent))
    }
}

fn too_late(id: u64) -> Error {
    Error::new(ErrorKind::Timeout, format!("question {id} to the leader has no answer in time"))
}

fn unknown(group: u64, device: &str) -> Error {
    let message = format!("{device} asks for an instance of group {group}, which is not complete");
    Error::new(ErrorKind::NotFound, message)
        .help("join the group first; a leader that was started again has lost it")
}

#[cfg(test)]
mod tests;
