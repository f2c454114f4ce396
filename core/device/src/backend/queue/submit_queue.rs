//! The submitting side of a stream: one thread at a time.

use super::completion_thread::{Item, start};
use super::{Event, Follow, LIMIT, Lost, Marker, quarantine};
use crate::backend::Status;
use crossbeam_channel::Sender;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

/// How many followed commands may be under way before a submission waits.
const DEPTH: usize = 4096;

/// The submitting side of one in-order queue, and the thread that follows its completions.
///
/// Dropping it does not block: commands under way still run, and what follows them is still done.
pub struct SubmitQueue<M> {
    name: &'static str,
    number: u64,
    items: Sender<Item<M>>,
    failure: Arc<OnceLock<Error>>,
    /// What [`SubmitGuard::fail`] was told first.
    refused: OnceLock<Error>,
    /// Held from the submission of a command until the thread knows of it, so that both see one order.
    turn: Mutex<()>,
}

/// The right to submit commands, with none of other threads in between.
pub struct SubmitGuard<'a, M> {
    queue: &'a SubmitQueue<M>,
    _turn: MutexGuard<'a, ()>,
}

impl<M: Marker> SubmitQueue<M> {
    /// A queue with a thread of its own; `name` is the backend's.
    ///
    /// # Errors
    /// The system has no thread left; or so many commands of other streams were lost that no more of their
    /// memory may be held.
    pub fn start(name: &'static str) -> Result<Self> {
        quarantine::check()?;
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let failure = Arc::default();
        let items = start(name, number, &failure)?;
        let (refused, turn) = (OnceLock::new(), Mutex::default());
        Ok(Self { name, number, items, failure, refused, turn })
    }

    /// The number of the stream, unique in the process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The stream's first failure; it sticks. A command that never came to the queue counts at once,
    /// also while those before it run.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.get().or(self.refused.get())
    }

    /// The right to submit. Waits while too many commands are under way.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within [`LIMIT`].
    pub fn enter(&self) -> Result<SubmitGuard<'_, M>> {
        let guard = self.enter_failed();
        let mut deadline = None;
        loop {
            if let Some(error) = self.failure() {
                return Err(error.clone());
            }
            if self.items.len() < DEPTH {
                return Ok(guard);
            }
            if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + LIMIT) {
                return Err(full(self.name));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// The right to mark the end of a stream that takes no more work.
    pub fn enter_failed(&self) -> SubmitGuard<'_, M> {
        let turn = lock(&self.turn);
        SubmitGuard { queue: self, _turn: turn }
    }
}

impl<M: Marker> SubmitGuard<'_, M> {
    /// Follows a command to its end.
    pub fn follow(&self, done: M, follow: Follow) {
        self.send(Item { done: Some(done), after: None, follow: Some(follow) });
    }

    /// Waits for a command, so that its failure is noticed.
    pub fn watch(&self, done: M) {
        self.send(Item { done: Some(done), after: None, follow: None });
    }

    /// Makes the stream fail if the event does, once the queue has waited for it.
    pub fn after(&self, event: Event<M>, done: Option<M>) {
        self.send(Item { done, after: Some(event), follow: None });
    }

    /// Makes `event` final once the queue has passed `marker`.
    pub fn record(&self, event: Event<M>, marker: M) {
        let finish = move |end| {
            event.finish(end);
            Ok(())
        };
        self.follow(marker, Box::new(finish));
    }

    /// Fails the stream, after all commands so far; then does what follows a command that never came
    /// to the queue.
    pub fn fail(&self, error: Error, follow: Option<Follow>) {
        let _ = self.queue.refused.set(error.clone());
        let fails = Box::new(move |end: Result<(), Lost>| end.map_or(Ok(()), |()| Err(error)));
        self.send(Item { done: None, after: None, follow: Some(fails) });
        if follow.is_some() {
            self.send(Item { done: None, after: None, follow });
        }
    }

    fn send(&self, item: Item<M>) {
        if let Err(refused) = self.queue.items.send(item) {
            let error = Error::backend("the thread of a stream has ended");
            let follow = refused.into_inner().follow;
            let _ = follow.map(|follow| follow(Err(Lost::Unknown(error))));
        }
    }

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
        if event.stream() == self.queue.number {
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
        event.stream() != self.queue.number && matches!(event.status(), Status::Pending)
    }
}

fn full(name: &str) -> Error {
    let message = format!("{name}: a stream took no work for {LIMIT:?}, with too much under way");
    Error::timeout(message).help("look for a kernel or a sink that does not end")
}

#[cfg(test)]
mod tests;
