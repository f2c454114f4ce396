//! A submission whose types are erased: the body, and the buffer that it owns while in flight.

use crate::Communicator;
use crate::promise::Promise;
use ringwood_base::{Error, ErrorKind, Result};
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

pub(super) struct Submission<B, F> {
    pub(super) buffer: Option<B>,
    pub(super) body: Option<F>,
    pub(super) end: Arc<Promise<Finished<B>>>,
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
        self.finish_with(result);
    }
}

impl<B, F> Submission<B, F> {
    fn finish_with(&mut self, result: Result<()>) {
        if let Some(buffer) = self.buffer.take() {
            // Wakers are the code of others; what they do is no matter of the call.
            let _ = catch_unwind(AssertUnwindSafe(|| self.end.keep(Finished { buffer, result })));
        }
    }
}

/// Nothing ends without an end, whatever drops it.
impl<B, F> Drop for Submission<B, F> {
    fn drop(&mut self) {
        self.finish_with(Err(Error::new(ErrorKind::Aborted, "the executor dropped the call")));
    }
}
