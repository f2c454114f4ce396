//! The leader of a rendezvous: a state machine without threads, clocks or I/O.

mod place;
mod steps;

use super::message::{Answer, Ask, Question, Reply, Worker};
use super::record::{GroupRecord, unknown};
use place::Place;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use ringwood_transport::Bootstrap;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;
use steps::StepSequences;

/// The leader of a rendezvous: it gathers members, checks instances, gives them an order and numbers
/// steps for workers of any number of processes.
///
/// It is given what arrives and what time it is, from any start, and returns what is to be sent.
/// Equivalent to the group leader of TensorFlow's `CollectiveParamResolverDistributed`.
pub(super) struct Leader {
    registry: Arc<Registry>,
    groups: HashMap<u64, GroupRecord>,
    /// Where the ranks of each group connect.
    places: HashMap<u64, Place>,
    steps: StepSequences,
    /// The questions that have no answer yet, by worker and number.
    open: BTreeMap<(Worker, u64), Open>,
    aborted: Option<Error>,
}

struct Open {
    question: Question,
    deadline: Duration,
    /// What it asks for, apart from an answer, is not done yet.
    new: bool,
}

impl Leader {
    /// A leader that looks algorithms and transports up in `registry`.
    pub(super) fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            groups: HashMap::new(),
            places: HashMap::new(),
            steps: StepSequences::default(),
            open: BTreeMap::new(),
            aborted: None,
        }
    }

    /// The ranks of a group connect here, over this transport.
    pub(super) fn bootstrap(&mut self, group: u64, transport: &str, bootstrap: Bootstrap) {
        self.places.insert(group, Place::new(transport, bootstrap));
    }

    /// A question has arrived; what is to be sent.
    pub(super) fn receive(
        &mut self,
        now: Duration,
        from: Worker,
        ask: Ask,
    ) -> Vec<(Worker, Reply)> {
        let deadline = now.saturating_add(ask.wait);
        self.open.insert((from, ask.id), Open { question: ask.question, deadline, new: true });
        self.tick(now)
    }

    /// A worker is lost: its connection broke, or its process ended. Every worker that counts on it
    /// gets an error that says so, now or when it asks.
    pub(super) fn lost(&mut self, now: Duration, worker: Worker) -> Vec<(Worker, Reply)> {
        self.open.retain(|(from, _), _| *from != worker);
        self.groups.values_mut().for_each(|group| group.lose(worker));
        self.tick(now)
    }

    /// When the next question is late.
    pub(super) fn next_deadline(&self) -> Option<Duration> {
        self.open.values().map(|open| open.deadline).min()
    }

    /// Answers what can be answered, also to those who have waited too long.
    pub(super) fn tick(&mut self, now: Duration) -> Vec<(Worker, Reply)> {
        let mut replies = Vec::new();
        loop {
            // A question settles others, which come before it.
            let before = replies.len();
            for ((worker, id), open) in std::mem::take(&mut self.open) {
                let late = open.deadline <= now;
                let answer = match self.answer(worker, &open, late).transpose() {
                    None if late => Err(too_late(id)),
                    Some(answer) => answer,
                    None => {
                        self.open.insert((worker, id), Open { new: false, ..open });
                        continue;
                    }
                };
                replies.push((worker, Reply { id, answer }));
            }
            if replies.len() == before {
                return replies;
            }
        }
    }

    /// Does what a new question asks for. The answer, if there is one yet; when the question is `late`,
    /// those who have not come are named.
    fn answer(&mut self, from: Worker, open: &Open, late: bool) -> Result<Option<Answer>> {
        let (question, state) = (&open.question, (open.new, late));
        if let Some(error) = self.aborted.as_ref().filter(|_| question.waits()) {
            return Err(error.clone());
        }
        let groups = &mut self.groups;
        match question {
            Question::Join(member) => {
                let group = groups.entry(member.group).or_insert_with(|| GroupRecord::new(member));
                Ok(group.join(from, member, state)?.map(Answer::Group))
            }
            Question::Instance { group, device, request } => {
                let group = complete(groups, *group, device)?;
                let instance = group.instance(device, request, &self.registry, state)?;
                Ok(instance.map(|instance| Answer::Instance(Box::new(instance))))
            }
            Question::Turn { instance, rank } => {
                let group = complete(groups, instance.group, &format_args!("rank {rank}"))?;
                Ok(group.turn(*instance, *rank, state)?.map(Answer::Turn))
            }
            Question::Bootstrap { group: key, transport } => {
                let group = complete(groups, *key, &"a rank")?;
                group.check_workers()?;
                let place = match self.places.entry(*key) {
                    Entry::Occupied(place) => place.into_mut(),
                    // A transport that is refused is a matter of who names it.
                    Entry::Vacant(none) => {
                        none.insert(Place::make(group.size(), &self.registry, transport)?)
                    }
                };
                place.address(*key, &self.registry, transport).map(Answer::Address).map(Some)
            }
            Question::Connected { group } => {
                let size = complete(groups, *group, &"a rank")?.size();
                if let Some(place) = self.places.get_mut(group) {
                    place.connect(size);
                }
                Ok(Some(Answer::Done))
            }
            Question::Leave { group, rank } => {
                complete(groups, *group, &format_args!("rank {rank}"))?.leave(*rank);
                Ok(Some(Answer::Done))
            }
            Question::Cancel { group: key } => {
                let group = groups.entry(*key).or_insert_with(|| GroupRecord::cancelled(*key));
                group.cancel();
                Ok(Some(Answer::Done))
            }
            Question::Abort(error) => {
                self.aborted.get_or_insert_with(|| error.clone());
                Ok(Some(Answer::Done))
            }
            Question::Step { graph } => Ok(Some(Answer::Step(self.steps.due(*graph)))),
            Question::Retire { graph, step } => {
                self.steps.retire(*graph, *step).map(|step| Some(Answer::Step(step)))
            }
        }
    }
}

/// The record of a complete group, for `who` asks about it.
fn complete<'g>(
    groups: &'g mut HashMap<u64, GroupRecord>,
    key: u64,
    who: &dyn Display,
) -> Result<&'g mut GroupRecord> {
    let group = groups.get_mut(&key).ok_or_else(|| unknown(key, who))?;
    group.members(who)?;
    Ok(group)
}

fn too_late(id: u64) -> Error {
    Error::timeout(format!("question {id} to the leader has no answer in time"))
}

#[cfg(test)]
pub(super) mod tests;
