//! What workers answer to requests, for the threads that wait for it and the tasks that await it.

use super::Value;
use super::awaited::Awaited;
use super::clock::Clock;
use super::protocol::{Failure, Reply};
use super::serve::{JOINED, READY};
use crate::system::lock;
use ringwood_base::waker::TaskCell;
use ringwood_base::{Error, Result};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

/// The requests of a session that are not answered yet.
pub(super) struct Answers {
    open: Mutex<BTreeMap<u64, Arc<Answer>>>,
    /// That each worker is ready and, where there are groups of workers, that it is in its group.
    pub(super) ready: Vec<Arc<Answer>>,
    /// Of the tasks that await an answer.
    pub(super) clock: Clock,
}

/// What a worker says to a request.
pub(super) type Outcome = Result<Value, Failure>;

/// What some workers say to one request.
pub struct Answer {
    /// The first of them.
    pub(super) first: usize,
    outcomes: Awaited<Vec<Option<Outcome>>>,
    tasks: Mutex<Vec<Weak<TaskCell>>>,
}

impl Answers {
    /// Those of so many workers, which are to say that they are ready.
    pub(super) fn new(workers: usize, groups: usize) -> Self {
        let (open, ready, clock) = Default::default();
        let mut answers = Self { open, ready, clock };
        let requests = if groups > 1 { READY..=JOINED } else { READY..=READY };
        answers.ready = requests.map(|request| answers.open(request, 0..workers)).collect();
        answers
    }

    /// The answer of these workers to a request.
    pub(super) fn open(&self, request: u64, workers: Range<usize>) -> Arc<Answer> {
        let outcomes = Awaited::new(vec![None; workers.len()]);
        let answer = Arc::new(Answer { first: workers.start, outcomes, tasks: Mutex::default() });
        lock(&self.open).insert(request, Arc::clone(&answer));
        answer
    }

    /// A request was not sent to all whom it asks.
    pub(super) fn forget(&self, request: u64) {
        lock(&self.open).remove(&request);
    }

    pub(super) fn deliver(&self, worker: usize, reply: Reply) {
        let mut open = lock(&self.open);
        let Some(answer) = open.get(&reply.request).cloned() else { return };
        if answer.take(worker, reply.outcome) {
            open.remove(&reply.request);
            drop(open);
            answer.wake();
        }
    }

    /// A worker answers no more, and fails with this what it was asked.
    pub(super) fn lose(&self, worker: usize, failure: &Failure) {
        let open: Vec<_> = lock(&self.open).keys().copied().collect();
        for request in open {
            self.deliver(worker, Reply { request, outcome: Err(failure.clone()) });
        }
    }

    /// The session is closed: that answers all of them.
    pub(super) fn close(&self) {
        let open = std::mem::take(&mut *lock(&self.open));
        open.values().for_each(|answer| answer.wake());
        self.clock.stop();
    }
}

impl Answer {
    /// The first word of a worker counts; whether all have answered now.
    fn take(&self, worker: usize, outcome: Outcome) -> bool {
        self.outcomes.look(|outcomes| {
            let place = worker.checked_sub(self.first).and_then(|place| outcomes.get_mut(place));
            if let Some(place) = place {
                place.get_or_insert(outcome);
            }
            answered(outcomes)
        })
    }

    /// What the workers have said so far.
    pub(super) fn said<R>(&self, look: impl FnOnce(&[Option<Outcome>]) -> R) -> R {
        self.outcomes.look(|outcomes| look(outcomes))
    }

    /// The values of all workers, which are given once, or the failure of the first one that failed. None until all have
    /// answered, or as long as the session will be closed, as one of them says, unless that is waited for no more.
    pub(super) fn outcome(&self, over: bool) -> Option<Result<Vec<Value>>> {
        self.outcomes.look(|outcomes| {
            let all = answered(outcomes) || (over && outcomes.iter().all(Option::is_some));
            let value = |said: &mut Outcome| match said {
                Ok(value) => Ok(std::mem::take(value)),
                Err(failure) => Err(Error::from(failure.clone())),
            };
            all.then(|| outcomes.iter_mut().flatten().map(value).collect())
        })
    }

    /// Waits until all have answered, or a time.
    pub(super) fn wait(&self, until: Instant) {
        let _ = self.outcomes.wait(until, |outcomes| answered(outcomes).then_some(()));
    }

    /// The workers that have not answered.
    pub(super) fn silent(&self) -> Vec<usize> {
        let silent = |said: &[Option<Outcome>]| {
            let places = (0..said.len()).filter(|&place| said[place].is_none());
            places.map(|place| self.first + place).collect()
        };
        self.said(silent)
    }

    /// From now on the answer wakes this task, as long as somebody keeps it.
    pub(super) fn wakes(&self, task: &Arc<TaskCell>) {
        let mut tasks = lock(&self.tasks);
        tasks.retain(|task| task.strong_count() > 0);
        tasks.push(Arc::downgrade(task));
    }

    fn wake(&self) {
        self.outcomes.change(|_| ());
        let tasks = std::mem::take(&mut *lock(&self.tasks));
        tasks.iter().filter_map(Weak::upgrade).for_each(|task| task.wake());
    }
}

/// Whether all have answered, and none says that the session will be closed.
pub(super) fn answered(outcomes: &[Option<Outcome>]) -> bool {
    let stays = |said: &Option<Outcome>| match said {
        Some(Err(failure)) => !failure.closes,
        said => said.is_some(),
    };
    outcomes.iter().all(stays)
}
