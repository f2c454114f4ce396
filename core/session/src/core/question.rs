//! The question to all workers whether a register is computed, whose answer tasks await.

use super::{Core, Handle};
use crate::answers::Answer;
use crate::channel::Workers;
use crate::progress::Observer;
use crate::protocol::Command;
use ringwood_base::Result;
use ringwood_base::deadline::deadline;
use ringwood_base::sync::lock;
use ringwood_base::waker::TaskCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A question that was asked once for all handles of a register.
#[derive(Clone)]
pub(crate) struct Question {
    workers: Arc<dyn Workers>,
    answer: Arc<Answer>,
}

impl Question {
    /// From now on the answer wakes this task, and so does the deadline.
    ///
    /// # Errors
    /// The system has no thread for the clock.
    pub(crate) fn wakes(&self, task: &Arc<TaskCell>, deadline: Instant) -> Result<()> {
        self.answer.wakes(task);
        self.workers.progress().answers.clock.wake_at(deadline, task)
    }

    /// Whether there is an answer, or none will come.
    pub(crate) fn is_answered(&self) -> bool {
        let progress = self.workers.progress();
        // Nobody else may look while this is asked again and again.
        progress.answers.clock.look();
        progress.closed().is_some() || self.answer.outcome().is_some()
    }
}

impl Core {
    /// By when one has to be answered that is asked now.
    pub(crate) fn deadline(&self) -> Instant {
        deadline(self.config.timeout)
    }

    /// Asks, if nobody has before.
    pub(crate) fn question(&self, handle: &Handle) -> Result<Question> {
        let mut asked = lock(&handle.question);
        if let Some(question) = &*asked {
            return Ok(question.clone());
        }
        let mut state = self.open()?;
        self.check_handle(&state, handle)?;
        state.requests += 1;
        let workers = Arc::clone(&state.workers);
        let (request, answer) = workers.progress().answers.open(state.requests);
        let command = Command::Await { request, register: handle.register };
        let sent = workers.send(self.all(), command, self.deadline());
        sent.map_err(|failed| self.refused(&mut state, failed))?;
        Ok(asked.insert(Question { workers, answer }).clone())
    }

    /// Whether a register is computed, as far as is known.
    pub(crate) fn is_computed(&self, handle: &Handle) -> bool {
        handle.waited.load(Ordering::Relaxed)
            || self.question(handle).map_or(true, |question| question.is_answered())
    }

    /// The answer, if it has come; after the deadline it is that workers are silent, which ends the session.
    pub(crate) fn answer(
        &self,
        handle: &Handle,
        question: &Question,
        deadline: Instant,
    ) -> Option<Result<()>> {
        let Question { workers, answer } = question;
        let error = match workers.progress().closed() {
            Some(failure) => self.closing(workers, failure),
            None => match answer.outcome() {
                None if Instant::now() >= deadline => self.timed_out(workers, &answer.silent()),
                outcome => return outcome,
            },
        };
        // Unless the state is locked: it may be so by whoever wakes the task that asks.
        if let Ok(mut state) = self.state.try_lock()
            && state.generation == handle.generation
        {
            self.told(&mut state);
        }
        Some(Err(error))
    }
}
