//! A marker in a stream.

use ringwood::backend::Status;
use ringwood::{Error, Result};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Final when the work before it is: done, or failed with its stream's first failure.
#[derive(Clone, Default)]
pub struct Event(Arc<(Mutex<Option<Result<()>>>, Condvar)>);

impl Event {
    pub(super) fn finish(&self, outcome: Result<()>) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
        self.0.1.notify_all();
    }

    pub(super) fn status(&self) -> Status {
        match &*self.0.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(error)) => Status::Failed(error.clone()),
        }
    }

    pub(super) fn block(&self, timeout: Duration) -> Result<()> {
        let outcome = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = |outcome: &mut Option<_>| outcome.is_none();
        let waited = self.0.1.wait_timeout_while(outcome, timeout, pending);
        let (outcome, _) = waited.unwrap_or_else(PoisonError::into_inner);
        outcome.clone().unwrap_or_else(|| {
            Err(Error::timeout(format!("abacus: the event was still pending after {timeout:?}")))
        })
    }
}
