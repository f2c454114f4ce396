//! A marker in a stream that many threads can wait for.

use ringwood_base::Result;
use ringwood_device::backend::{Progress, Status};
use std::sync::Arc;
use std::time::Duration;

/// Completes when the commands of a stream up to one of them have, or fails with the first that fails.
#[derive(Clone)]
pub struct Event {
    progress: Arc<Progress>,
    at: u64,
}

impl Event {
    pub(crate) fn new(progress: &Arc<Progress>, at: u64) -> Self {
        Self { progress: Arc::clone(progress), at }
    }

    pub(crate) fn status(&self) -> Status {
        self.progress.status(self.at)
    }

    /// Waits until the event is final.
    ///
    /// # Errors
    /// The stream's first failure, or `Timeout`.
    pub(crate) fn block(&self, timeout: Duration) -> Result<()> {
        self.progress.block(self.at, timeout)
    }
}
