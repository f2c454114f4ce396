//! The submitting side of a stream: one thread at a time.

use super::{CompletionThread, Event, Follow, LIMIT, Marker};
use crate::backend::Status;
use ringwood_base::{Error, Result};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many followed commands may be under way before a submission waits.
const DEPTH: usize = 4096;

/// The submitting side of one in-order queue.
///
/// Held from the submission of a command until the completion thread knows of it, so that both
/// see one order.
pub struct SubmitQueue<M> {
    name: &'static str,
    number: u64,
    completions: Mutex<CompletionThread<M>>,
}

/// The right to submit commands, with none of other threads in between.
pub struct SubmitGuard<'a, M>(MutexGuard<'a, CompletionThread<M>>);

impl<M: Marker> SubmitQueue<M> {
    /// A queue with a [`CompletionThread`] of its own; `name` is the backend's.
    ///
    /// # Errors
    /// The system has no thread left.
    pub fn start(name: &'static str) -> Result<Self> {
        let thread = CompletionThread::start(name)?;
        Ok(Self { name, number: thread.number(), completions: Mutex::new(thread) })
    }

    /// The number of the stream, unique in the process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The right to submit. Waits while too many commands are under way.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within [`LIMIT`].
    pub fn enter(&self) -> Result<SubmitGuard<'_, M>> {
        let thread = self.completions.lock().unwrap_or_else(PoisonError::into_inner);
        let mut deadline = None;
        loop {
            if let Some(error) = thread.failure() {
                return Err(error.clone());
            }
            if thread.pending() < DEPTH {
                return Ok(SubmitGuard(thread));
            }
            if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + LIMIT) {
                return Err(full(self.name));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// The right to mark the end of a stream that takes no more work.
    pub fn enter_failed(&self) -> SubmitGuard<'_, M> {
        SubmitGuard(self.completions.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The completion thread, for the end of the stream.
    pub fn completions(&mut self) -> &mut CompletionThread<M> {
        self.completions.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Deref for SubmitGuard<'_, M> {
    type Target = CompletionThread<M>;

    fn deref(&self) -> &CompletionThread<M> {
        &self.0
    }
}

impl<M: Marker> SubmitGuard<'_, M> {
    /// What the driver gave, if it took the command; else the stream fails.
    ///
    /// # Errors
    /// The driver's refusal.
    pub fn taken<T>(&self, command: Result<T>) -> Result<T> {
        command.inspect_err(|error| self.fail(error.clone(), None))
    }

    /// Follows a command to its end, if the driver took it; else the stream fails, and what would
    /// follow the command is told so.
    ///
    /// # Errors
    /// The driver's refusal.
    pub fn submitted(&self, command: Result<M>, follow: Option<Follow>) -> Result<()> {
        match (command, follow) {
            (Ok(done), Some(follow)) => self.follow(done, follow),
            (Ok(done), None) => self.watch(done),
            (Err(error), follow) => {
                self.fail(error.clone(), follow);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether the queue has to wait for an event: not for one of its own, nor for one that is over.
    /// A failed event fails the stream.
    pub fn must_wait(&self, event: &Event<M>) -> bool {
        if event.stream() == self.number() {
            return false;
        }
        match event.status() {
            Status::Pending => true,
            Status::Done => false,
            Status::Failed(error) | Status::Unknown(error) => {
                self.fail(error, None);
                false
            }
        }
    }

    /// As [`SubmitGuard::must_wait`], where the outcome of the event does not count.
    pub fn must_wait_for_end(&self, event: &Event<M>) -> bool {
        event.stream() != self.number() && matches!(event.status(), Status::Pending)
    }
}

fn full(name: &str) -> Error {
    let message = format!("{name}: a stream took no work for {LIMIT:?}, with too much under way");
    Error::timeout(message).help("look for a kernel or a sink that does not end")
}

#[cfg(test)]
mod tests;
