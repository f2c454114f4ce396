//! A submitted call: polled, waited for, awaited, cancelled.

use super::InstanceId;
use super::job::Finished;
use super::promise::Promise;
use super::shared::Shared;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Status;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// A submitted call: a `Future` of its [`Finished`] buffer, which can also be waited for.
///
/// Dropping it lets the call go on, since other ranks count on it; the buffer is dropped at its
/// end. To give it up, [`cancel`](Handle::cancel) it.
#[must_use = "a call that nobody waits for loses its result"]
pub struct Handle<B> {
    pub(super) instance: InstanceId,
    pub(super) rank: usize,
    pub(super) end: Arc<Promise<Finished<B>>>,
    /// What became of a call whose buffer was taken by awaiting it.
    pub(super) awaited: Option<Result<()>>,
    pub(super) shared: Arc<Shared>,
}

impl<B> Handle<B> {
    /// The instance, for [`After`](super::After).
    pub fn instance(&self) -> InstanceId {
        self.instance
    }

    /// Whether the call is over, in success or failure; never blocks.
    pub fn is_done(&self) -> bool {
        self.outcome().is_some()
    }

    /// The state of the call; never blocks.
    pub fn status(&self) -> Status {
        match self.outcome() {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(error)) => Status::Failed(error),
        }
    }

    fn outcome(&self) -> Option<Result<()>> {
        self.awaited.clone().or_else(|| self.end.look(|finished| finished.result.clone()))
    }

    /// Blocks until the call is over; its outcome stays in the handle.
    ///
    /// # Errors
    /// The call's; or [`Timeout`](ringwood_base::ErrorKind::Timeout) when it is still pending after `timeout`: it goes on,
    /// and [`Handle::is_done`] tells the two apart.
    pub fn wait(&self, timeout: Duration) -> Result<()> {
        self.end.wait(timeout);
        self.outcome().unwrap_or_else(|| {
            Err(Error::timeout(format!("{} is still pending after {timeout:?}", self.instance)))
        })
    }

    /// Waits and takes the buffer.
    ///
    /// # Errors
    /// The handle itself, when the call is still pending after `timeout`, or its buffer was taken by
    /// awaiting it.
    pub fn finish(self, timeout: Duration) -> Result<Finished<B>, Self> {
        self.end.wait(timeout);
        self.end.take().ok_or(self)
    }

    /// Gives the call up on every rank, unless it has started; whether it did. Then every rank gets
    /// the same [`Aborted`](ringwood_base::ErrorKind::Aborted), no data has moved, and the group stays usable. Never where
    /// ranks are in other processes, which count on the call.
    pub fn cancel(&self) -> bool {
        // Its key may be another call's by now.
        !self.is_done() && self.shared.change(|table| table.cancel(self.instance, self.rank))
    }
}

impl<B> Future for Handle<B> {
    type Output = Finished<B>;

    /// # Panics
    /// Polled after it was ready.
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Finished<B>> {
        let polled = self.end.poll(cx);
        if let Poll::Ready(finished) = &polled {
            self.awaited = Some(finished.result.clone());
        }
        polled
    }
}

impl<B> fmt::Debug for Handle<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.outcome() {
            None => "pending",
            Some(Ok(())) => "done",
            Some(Err(_)) => "failed",
        };
        write!(f, "Handle({} on rank {}, {state})", self.instance, self.rank)
    }
}
