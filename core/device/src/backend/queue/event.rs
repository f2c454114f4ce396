//! A marker in a stream that many threads, and other streams, can wait for.

use super::{Lost, Marker};
use crate::backend::{Status, linger};
use ringwood_base::deadline::deadline;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Completes, or fails with its stream's first failure, when the work before it has.
///
/// The device passes the marker first; the event is final when the stream's thread has done what follows all
/// work before it.
pub struct Event<M>(Arc<State<M>>);

struct State<M> {
    stream: u64,
    marker: OnceLock<M>,
    outcome: OnceLock<Result<(), Lost>>,
    waiters: Mutex<Vec<Then>>,
    finished: Condvar,
}

type Then = Box<dyn FnOnce() + Send>;

impl<M> Clone for Event<M> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<M: Marker> Event<M> {
    /// An event of the stream with this number.
    pub fn new(stream: u64) -> Self {
        Self(Arc::new(State {
            stream,
            marker: OnceLock::new(),
            outcome: OnceLock::new(),
            waiters: Mutex::default(),
            finished: Condvar::new(),
        }))
    }

    /// The number of its stream.
    pub fn stream(&self) -> u64 {
        self.0.stream
    }

    /// The marker in the queue, once it is there.
    pub fn marker(&self) -> Option<&M> {
        self.0.marker.get()
    }

    /// Says which marker in the queue it is; the first one counts.
    pub fn mark(&self, marker: M) {
        let _ = self.0.marker.set(marker);
    }

    /// Says how the work before the event ended and wakes everyone who waits for it; the first outcome
    /// counts.
    pub fn finish(&self, outcome: Result<(), Lost>) {
        let mut waiters = lock(&self.0.waiters);
        let _ = self.0.outcome.set(outcome);
        let waiting = std::mem::take(&mut *waiters);
        drop(waiters);
        self.0.finished.notify_all();
        waiting.into_iter().for_each(|then| then());
    }

    /// Calls `then` once the event is final, at once if it is.
    pub fn then(&self, then: Box<dyn FnOnce() + Send>) {
        let mut waiters = lock(&self.0.waiters);
        if self.0.outcome.get().is_none() {
            return waiters.push(then);
        }
        drop(waiters);
        then();
    }

    /// How far it has come. Does not wait.
    pub fn status(&self) -> Status {
        match self.0.outcome.get() {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(Lost::Failed(error))) => Status::Failed(error.clone()),
            Some(Err(Lost::Unknown(error))) => Status::Unknown(error.clone()),
        }
    }

    fn outcome(&self) -> Option<Result<()>> {
        Some(match self.0.outcome.get()? {
            Ok(()) => Ok(()),
            Err(Lost::Failed(error) | Lost::Unknown(error)) => Err(error.clone()),
        })
    }

    /// Waits until the event is final, or nobody knows whether it is.
    ///
    /// # Errors
    /// The stream's first failure, or [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    pub fn block(&self, timeout: Duration) -> Result<()> {
        let deadline = deadline(timeout);
        if let Some(outcome) = linger(timeout, || self.outcome()) {
            return outcome;
        }
        let mut waiters = lock(&self.0.waiters);
        loop {
            if let Some(outcome) = self.outcome() {
                return outcome;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let message = format!("the event was still pending after {timeout:?}");
                return Err(Error::timeout(message));
            }
            let woken = self.0.finished.wait_timeout(waiters, left);
            waiters = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
