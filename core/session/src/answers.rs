//! What workers answer: to threads, and to questions that tasks await, where no thread waits and nobody may come for it.

use super::awaited::Awaited;
use super::clock::Clock;
use super::protocol::{Failure, Reply};
use ringwood_base::sync::lock;
use ringwood_base::waker::TaskCell;
use ringwood_base::{ErrorKind, Result};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;

/// What is in the numbers of their requests, and in no other one.
const AWAITED: u64 = 1 << 63;

/// What the workers of a session answer: to threads that wait, and to the questions of tasks.
pub(super) struct Answers {
    /// What has come from each worker for threads.
    replies: Vec<Awaited<VecDeque<Reply>>>,
    /// The questions that are not answered yet, by their requests.
    open: Mutex<BTreeMap<u64, Arc<Answer>>>,
    /// Of the tasks that await an answer.
    pub(super) clock: Clock,
}

/// What the workers say of one register.
pub(super) struct Answer {
    outcomes: Mutex<Vec<Option<Result<(), Failure>>>>,
    tasks: Mutex<Vec<Weak<TaskCell>>>,
}

impl Answers {
    pub(super) fn new(workers: usize) -> Self {
        let replies = (0..workers).map(|_| Awaited::default()).collect();
        Self { replies, open: Mutex::default(), clock: Clock::default() }
    }

    /// A question to all workers, and the request that it is to be asked with.
    pub(super) fn open(&self, number: u64) -> (u64, Arc<Answer>) {
        let (request, outcomes) = (number | AWAITED, Mutex::new(vec![None; self.replies.len()]));
        let answer = Arc::new(Answer { outcomes, tasks: Mutex::default() });
        lock(&self.open).insert(request, Arc::clone(&answer));
        (request, answer)
    }

    /// Takes what a worker replies.
    pub(super) fn deliver(&self, worker: usize, reply: Reply) {
        if reply.request & AWAITED == 0 {
            return self.replies[worker].change(|replies| replies.push_back(reply));
        }
        let mut open = lock(&self.open);
        let Some(answer) = open.get(&reply.request).cloned() else { return };
        // The first word of a worker counts.
        lock(&answer.outcomes)[worker].get_or_insert(reply.outcome.map(drop));
        if answer.outcome().is_some() {
            open.remove(&reply.request);
            drop(open);
            answer.wake();
        }
    }

    /// The reply of a worker to a request, for which a thread waits; `None` if it did not come until the deadline.
    ///
    /// # Errors
    /// The worker is gone.
    pub(super) fn take(&self, worker: usize, request: u64, by: Instant) -> Result<Option<Reply>> {
        self.replies[worker].wait(by, |replies| {
            // Those for threads that have not asked yet are few.
            let place = replies.iter().position(|reply| reply.request == request)?;
            replies.remove(place)
        })
    }

    /// A worker answers no more.
    pub(super) fn lose(&self, worker: usize) {
        self.replies[worker].end();
        let open: Vec<_> = lock(&self.open).keys().copied().collect();
        for request in open {
            let text = format!("worker {worker} has ended");
            let failure = Failure { closes: false, ..Failure::closing(ErrorKind::Aborted, text) };
            self.deliver(worker, Reply { request, outcome: Err(failure) });
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
    /// What all workers say together: the failure of the first one that failed. None until all have answered, or as long
    /// as the session will be closed, as one of them says.
    pub(super) fn outcome(&self) -> Option<Result<()>> {
        let outcomes = lock(&self.outcomes);
        let all: Option<Vec<_>> = outcomes.iter().map(Option::as_ref).collect();
        let failures: Vec<_> = all?.into_iter().filter_map(|said| said.as_ref().err()).collect();
        if failures.iter().any(|failure| failure.closes) {
            return None;
        }
        Some(failures.first().map_or(Ok(()), |&failure| Err(failure.clone().into())))
    }

    /// The workers that have not answered.
    pub(super) fn silent(&self) -> Vec<usize> {
        let outcomes = lock(&self.outcomes);
        (0..outcomes.len()).filter(|&worker| outcomes[worker].is_none()).collect()
    }

    /// From now on the answer wakes this task, as long as somebody keeps it.
    pub(super) fn wakes(&self, task: &Arc<TaskCell>) {
        let mut tasks = lock(&self.tasks);
        tasks.retain(|task| task.strong_count() > 0);
        tasks.push(Arc::downgrade(task));
    }

    fn wake(&self) {
        let tasks = std::mem::take(&mut *lock(&self.tasks));
        tasks.iter().filter_map(Weak::upgrade).for_each(|task| task.wake());
    }
}
