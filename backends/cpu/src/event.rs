//! A marker in a stream that many threads can wait for.

use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::backend::{Status, linger};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Completes, or fails with its stream's first failure, when the work before it has.
#[derive(Clone, Default)]
pub struct Event(Arc<State>);

#[derive(Default)]
struct State {
    outcome: OnceLock<Result<()>>,
    waiters: Mutex<usize>,
    finished: Condvar,
}

impl Event {
    /// Makes the event final and wakes everyone who waits for it; a second outcome is dropped.
    pub(crate) fn finish(&self, outcome: Result<()>) {
        let _ = self.0.outcome.set(outcome);
        let waiters = self.0.waiters.lock().unwrap_or_else(PoisonError::into_inner);
        if *waiters > 0 {
            self.0.finished.notify_all();
        }
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
        let outcome = |state: &State| state.outcome.get().cloned();
        if let Some(outcome) = linger(timeout, || outcome(&self.0)) {
            return outcome;
        }
        let deadline = Instant::now().checked_add(timeout);
        let mut waiters = self.0.waiters.lock().unwrap_or_else(PoisonError::into_inner);
        *waiters += 1;
        while self.0.outcome.get().is_none() {
            let left = deadline.map_or(timeout, |d| d.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                break;
            }
            let woken = self.0.finished.wait_timeout(waiters, left);
            waiters = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        *waiters -= 1;
        outcome(&self.0).unwrap_or_else(|| {
            let message = format!("cpu: the event was still pending after {timeout:?}");
            Err(Error::new(ErrorKind::Timeout, message))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_final_event_gives_every_waiter_the_first_outcome() {
        let event = Event::default();
        assert!(matches!(event.status(), Status::Pending));
        let waiters: Vec<_> = (0..4)
            .map(|_| {
                let event = event.clone();
                std::thread::spawn(move || event.block(Duration::from_secs(10)))
            })
            .collect();
        event.finish(Err(Error::new(ErrorKind::Backend, "first")));
        event.finish(Ok(()));
        for waiter in waiters {
            assert_eq!(waiter.join().unwrap().unwrap_err().message(), "first");
        }
        assert!(matches!(event.status(), Status::Failed(e) if e.message() == "first"));
    }

    #[test]
    fn waiting_for_a_pending_event_ends_at_the_timeout() {
        for timeout in [Duration::ZERO, Duration::from_millis(5)] {
            let error = Event::default().block(timeout).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Timeout);
        }
        let event = Event::default();
        event.finish(Ok(()));
        assert!(event.block(Duration::ZERO).is_ok());
        assert!(event.block(Duration::MAX).is_ok());
    }
}
