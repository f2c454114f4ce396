//! A submission whose types are erased: the body, and the buffer that it owns while in flight.

use super::promise::Promise;
use crate::Communicator;
use ringwood_base::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// What a submitted call leaves: the buffer, also after a failure.
#[derive(Debug)]
#[must_use]
pub struct Finished<B> {
    /// The buffer that the call was given. After a failure its contents are those that the call's
    /// error documents: untouched or unspecified.
    pub buffer: B,
    /// What became of the call.
    pub result: Result<()>,
}

impl<B> Finished<B> {
    /// The buffer of a call that succeeded.
    ///
    /// # Errors
    /// The call's; the buffer is dropped.
    pub fn ok(self) -> Result<B> {
        self.result.map(|()| self.buffer)
    }
}

/// One rank's submission.
pub(super) trait Job: Send {
    /// Calls the body, once.
    fn run(&mut self, communicator: &Communicator) -> Result<()>;

    /// Ends the submission: the handle gets the buffer and the result.
    fn finish(self: Box<Self>, result: Result<()>);
}

/// Dropping it ends it: nothing ends without an end.
pub(super) struct Submission<B, F> {
    buffer: Option<B>,
    body: Option<F>,
    result: Option<Result<()>>,
    end: Arc<Promise<Finished<B>>>,
}

impl<B, F> Submission<B, F> {
    pub(super) fn new(buffer: B, body: F, end: Arc<Promise<Finished<B>>>) -> Self {
        Self { buffer: Some(buffer), body: Some(body), result: None, end }
    }
}

impl<B, F> Job for Submission<B, F>
where
    B: Send,
    F: FnOnce(&Communicator, &mut B) -> Result<()> + Send,
{
    fn run(&mut self, communicator: &Communicator) -> Result<()> {
        match (self.body.take(), self.buffer.as_mut()) {
            (Some(body), Some(buffer)) => body(communicator, buffer),
            _ => unreachable!("a submission runs once, before its end"),
        }
    }

    fn finish(mut self: Box<Self>, result: Result<()>) {
        self.result = Some(result);
    }
}

impl<B, F> Drop for Submission<B, F> {
    fn drop(&mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        let dropped = || Err(Error::aborted("the executor dropped the call"));
        let finished = Finished { buffer, result: self.result.take().unwrap_or_else(dropped) };
        // Wakers are the code of others; what they do is no matter of the call.
        let _ = catch_unwind(AssertUnwindSafe(|| self.end.keep(finished)));
    }
}
