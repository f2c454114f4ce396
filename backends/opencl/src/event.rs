//! A marker in a stream that many threads, and other streams, can wait for.

use crate::device::Device;
use crate::sys;
use ringwood_core::backend::Status;
use ringwood_core::{Error, ErrorKind, Result};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Completes, or fails with its stream's first failure, when the work before it has.
///
/// The device passes the marker first; the event is final when the stream's thread has called the
/// sinks, and seen the faults, of all work before it.
#[derive(Clone)]
pub struct Event(Arc<State>);

struct State {
    device: Device,
    stream: u64,
    marker: OnceLock<sys::Event>,
    outcome: OnceLock<Result<()>>,
    followers: Mutex<Vec<Follower>>,
    finished: Condvar,
}

type Follower = Box<dyn FnOnce() + Send>;

impl Event {
    /// An event of the stream with this number.
    pub(crate) fn new(device: &Device, stream: u64) -> Self {
        Self(Arc::new(State {
            device: device.clone(),
            stream,
            marker: OnceLock::new(),
            outcome: OnceLock::new(),
            followers: Mutex::default(),
            finished: Condvar::new(),
        }))
    }

    pub(crate) fn device(&self) -> &Device {
        &self.0.device
    }

    pub(crate) fn stream(&self) -> u64 {
        self.0.stream
    }

    /// The marker in the queue, once it is there.
    pub(crate) fn marker(&self) -> Option<&sys::Event> {
        self.0.marker.get()
    }

    pub(crate) fn mark(&self, marker: sys::Event) {
        // An event is recorded once.
        let _ = self.0.marker.set(marker);
    }

    /// Makes the event final and wakes everyone who waits for it; a second outcome is dropped.
    pub(crate) fn finish(&self, outcome: Result<()>) {
        let mut followers = self.followers();
        let _ = self.0.outcome.set(outcome);
        let waiting = std::mem::take(&mut *followers);
        drop(followers);
        self.0.finished.notify_all();
        waiting.into_iter().for_each(|follower| follower());
    }

    /// Calls `follower` once the event is final, at once if it is.
    pub(crate) fn then(&self, follower: Follower) {
        let mut followers = self.followers();
        if self.0.outcome.get().is_none() {
            return followers.push(follower);
        }
        drop(followers);
        follower();
    }

    fn followers(&self) -> std::sync::MutexGuard<'_, Vec<Follower>> {
        self.0.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn status(&self) -> Status {
        match self.0.outcome.get() {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(error)) => Status::Failed(error.clone()),
        }
    }

    /// Waits until the event is final.
    ///
    /// # Errors
    /// The stream's first failure, or `Timeout`.
    pub(crate) fn block(&self, timeout: Duration) -> Result<()> {
        let deadline = Instant::now().checked_add(timeout);
        let mut followers = self.followers();
        loop {
            if let Some(outcome) = self.0.outcome.get() {
                return outcome.clone();
            }
            let left = deadline.map_or(timeout, |d| d.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                let message = format!("opencl: the event was still pending after {timeout:?}");
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            let woken = self.0.finished.wait_timeout(followers, left);
            followers = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
