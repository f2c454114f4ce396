//! The side that provides a buffer.

use super::{Key, Return, Side, Table};
use crate::executor::Finished;
use ringwood_base::{Error, ErrorKind};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// A buffer on offer: a `Future` of its end, which can also be waited for.
///
/// It ends when the consumer is done, with the buffer unless the consumer
/// [keeps](super::Lent::keep) it. Dropping it leaves the buffer on offer.
#[must_use = "the buffer comes back through it"]
pub struct Provided<B> {
    key: Key,
    back: Return<B>,
    table: Arc<Table<B>>,
}

impl<B> Provided<B> {
    pub(super) fn new(key: Key, back: Return<B>, table: Arc<Table<B>>) -> Self {
        Self { key, back, table }
    }

    /// Whether the consumer is done, or the hand-over failed; never blocks.
    pub fn is_done(&self) -> bool {
        self.back.look(|_| ()).is_some()
    }

    /// Waits until the consumer is done. If none has come within `timeout`, the buffer is taken back
    /// with an [`ErrorKind::Timeout`] that names it.
    ///
    /// # Errors
    /// The handle itself, when the consumer came and is not done, or the buffer came back by
    /// awaiting it.
    pub fn finish(self, timeout: Duration) -> Result<Finished<Option<B>>, Self> {
        if !self.back.wait(timeout) {
            let Key { consumer, .. } = self.key;
            let message = format!("rank {consumer} did not come in time for {}", self.key);
            self.withdraw(Error::new(ErrorKind::Timeout, message));
        }
        self.back.take().ok_or(self)
    }

    /// Takes the buffer back, unless a consumer has come; whether it did. The end is then an
    /// [`ErrorKind::Aborted`] with the buffer.
    pub fn cancel(&self) -> bool {
        let message = format!("rank {} took back {}", self.key.producer, self.key);
        self.withdraw(Error::new(ErrorKind::Aborted, message))
    }

    fn withdraw(&self, error: Error) -> bool {
        let mine = |side: &Side<B>| matches!(side, Side::Producer(_, back) if Arc::ptr_eq(back, &self.back));
        let side = self.table.withdraw(self.key, mine);
        side.map(|side| side.end(error)).is_some()
    }
}

impl<B> Future for Provided<B> {
    type Output = Finished<Option<B>>;

    /// # Panics
    /// Polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.back.poll(cx)
    }
}

impl<B> fmt::Debug for Provided<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Provided({})", self.key)
    }
}
