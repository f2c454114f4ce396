//! What the controller asks workers, for threads that wait for the answer and tasks that await it.

use super::{Core, Handle};
use crate::Value;
use crate::answers::{Answer, answered};
use crate::channel::{GLANCE, Workers};
use crate::progress::Observer;
use crate::protocol::{Command, Failure};
use crate::system::lock;
use ringwood_base::deadline::deadline;
use ringwood_base::waker::TaskCell;
use ringwood_base::{Error, Result};
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

/// A request to some workers that was sent.
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
}

impl Core {
    /// By when one has to be answered that is asked now.
    pub(crate) fn deadline(&self) -> Instant {
        deadline(self.config.timeout)
    }

    /// Sends one request to some workers.
    fn request(
        &self,
        handle: Option<&Handle>,
        workers: Range<usize>,
        command: impl Fn(u64) -> Command,
    ) -> Result<Question> {
        let deadline = self.deadline();
        let mut state = self.open()?;
        if let Some(handle) = handle {
            self.check_handle(&state, handle)?;
        }
        state.requests += 1;
        let (request, all) = (state.requests, Arc::clone(&state.workers));
        let answers = &all.progress().answers;
        let answer = answers.open(request, workers.clone());
        for worker in workers {
            if let Err(error) = all.send(worker, command(request), deadline) {
                answers.forget(request);
                return Err(self.refused(&all, (worker, error)));
            }
        }
        Ok(Question { workers: all, answer })
    }

    /// Sends one request to some workers and waits for what they answer.
    pub(super) fn ask(
        &self,
        handle: Option<&Handle>,
        workers: Range<usize>,
        command: impl Fn(u64) -> Command,
    ) -> Result<Vec<Value>> {
        let deadline = self.deadline();
        let question = self.request(handle, workers, command)?;
        self.await_answer(&question, deadline)
    }

    fn await_answer(&self, question: &Question, deadline: Instant) -> Result<Vec<Value>> {
        loop {
            if let Some(answer) = self.answer(question, deadline) {
                return answer;
            }
            let Question { workers, answer } = question;
            workers.wait(answer, deadline.min(Instant::now() + GLANCE));
        }
    }

    /// The answer, if it has come; after the deadline it is that workers are silent, which ends the session.
    pub(crate) fn answer(
        &self,
        question: &Question,
        deadline: Instant,
    ) -> Option<Result<Vec<Value>>> {
        let Question { workers, answer } = question;
        let over = Instant::now() >= deadline;
        let outcome = answer.outcome(over);
        if over && outcome.is_none() {
            self.time_out(workers, &answer.silent());
        }
        // A failure that ends the session is the one to report, whatever the workers say.
        let closed = workers.progress().closed().map(|failure| Err(self.told(workers, failure)));
        closed.or(outcome)
    }

    /// What a caller is told of the failure that ended the session: what the first one was. The state may be locked by
    /// whoever wakes the task that asks.
    fn told(&self, workers: &Arc<dyn Workers>, failure: &Failure) -> Error {
        let error = || self.closing(workers, failure);
        match self.state.try_lock() {
            Ok(mut state) if Arc::ptr_eq(&state.workers, workers) => {
                state.ended.get_or_insert_with(error).clone()
            }
            _ => error(),
        }
    }

    /// Asks whether a register is computed, if nobody has before.
    pub(crate) fn question(&self, handle: &Handle) -> Result<Question> {
        let mut asked = lock(&handle.question);
        if let Some(question) = &*asked {
            return Ok(question.clone());
        }
        let register = handle.register;
        let all = 0..self.size();
        let question =
            self.request(Some(handle), all, |request| Command::Await { request, register })?;
        Ok(asked.insert(question).clone())
    }

    /// Waits until a register is computed on all workers.
    pub(crate) fn wait_for(&self, handle: &Handle) -> Result<()> {
        let deadline = self.deadline();
        self.check_handle(&*self.open()?, handle)?;
        let question = self.question(handle)?;
        self.await_answer(&question, deadline).map(drop)
    }

    /// Whether a register is computed, as far as is known, or never will be.
    pub(crate) fn is_computed(&self, handle: &Handle) -> bool {
        let Ok(Question { workers, answer }) = self.question(handle) else { return true };
        workers.progress().closed().is_some() || answer.said(answered)
    }
}
