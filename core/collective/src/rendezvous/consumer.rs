//! The side that consumes a buffer.

use super::{Arrival, Key, Return, Side, Table, give_back};
use ringwood_base::{Error, ErrorKind, Result};
use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

/// A request for a buffer: a `Future` of it, which can also be waited for.
///
/// Dropping it cancels the request; a buffer that has come already goes back to its producer.
#[must_use = "dropping it cancels the request"]
pub struct Consumer<B> {
    key: Key,
    arrival: Arrival<B>,
    table: Arc<Table<B>>,
}

impl<B> Consumer<B> {
    pub(super) fn new(key: Key, arrival: Arrival<B>, table: Arc<Table<B>>) -> Self {
        Self { key, arrival, table }
    }

    /// Whether the buffer has come, or never will; never blocks.
    pub fn is_done(&self) -> bool {
        self.arrival.look(|_| ()).is_some()
    }

    /// Waits for the buffer.
    ///
    /// # Errors
    /// Nobody provides it within `timeout`: an [`ErrorKind::Timeout`] that names who did not come,
    /// and the request is cancelled. The failure of the rendezvous; a second request for the same
    /// buffer; one that was awaited already.
    pub fn wait(self, timeout: Duration) -> Result<Lent<B>> {
        if !self.arrival.wait(timeout) {
            let message =
                format!("rank {} did not come in time with {}", self.key.producer, self.key);
            self.withdraw(Error::new(ErrorKind::Timeout, message));
        }
        // It came between the timeout and the withdrawal, or it ended with that.
        self.arrival.take().unwrap_or_else(|| {
            let message = format!("{} was taken already", self.key);
            Err(Error::new(ErrorKind::InvalidArgument, message))
        })
    }

    /// Gives the request up, unless the buffer has come; whether it did. The end is then an
    /// [`ErrorKind::Aborted`].
    pub fn cancel(&self) -> bool {
        let message = format!("rank {} gave up {}", self.key.consumer, self.key);
        self.withdraw(Error::new(ErrorKind::Aborted, message))
    }

    fn withdraw(&self, error: Error) -> bool {
        let mine =
            |side: &Side<B>| matches!(side, Side::Consumer(a) if Arc::ptr_eq(a, &self.arrival));
        let side = self.table.withdraw(self.key, mine);
        side.map(|side| side.end(error)).is_some()
    }
}

impl<B> Drop for Consumer<B> {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl<B> Future for Consumer<B> {
    type Output = Result<Lent<B>>;

    /// # Panics
    /// Polled after it was ready.
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        self.arrival.poll(cx)
    }
}

impl<B> fmt::Debug for Consumer<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Consumer({})", self.key)
    }
}

/// A buffer in the consumer's hands; the producer gets it back when this is dropped.
pub struct Lent<B> {
    buffer: Option<B>,
    back: Return<B>,
}

impl<B> Lent<B> {
    pub(super) fn new(buffer: B, back: Return<B>) -> Self {
        Self { buffer: Some(buffer), back }
    }

    /// Keeps the buffer; the producer ends without it.
    pub fn keep(mut self) -> B {
        let buffer = self.buffer.take().expect("a buffer is lent until it is given back");
        give_back(&self.back, None, Ok(()));
        buffer
    }

    /// Gives the buffer back as one that does not fit, such as one of another size.
    pub fn refuse(mut self, error: Error) {
        give_back(&self.back, self.buffer.take(), Err(error));
    }
}

impl<B> Drop for Lent<B> {
    fn drop(&mut self) {
        let Some(buffer) = self.buffer.take() else { return };
        let panicked = || Error::new(ErrorKind::Panic, "the consumer panicked with the buffer");
        let result = if std::thread::panicking() { Err(panicked()) } else { Ok(()) };
        give_back(&self.back, Some(buffer), result);
    }
}

impl<B> Deref for Lent<B> {
    type Target = B;

    fn deref(&self) -> &B {
        self.buffer.as_ref().expect("a buffer is lent until it is given back")
    }
}

impl<B> DerefMut for Lent<B> {
    fn deref_mut(&mut self) -> &mut B {
        self.buffer.as_mut().expect("a buffer is lent until it is given back")
    }
}

impl<B> fmt::Debug for Lent<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lent(..)")
    }
}
