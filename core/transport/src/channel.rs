//! Streams of bytes that a transport of another crate brings.

use std::io::{self, IoSlice};

/// A stream of bytes between two ranks: what is written at one end is read at the other, in order. No
/// call waits.
///
/// With [`over_channels`](super::over_channels) the streams of a rank to all others make an
/// [`Endpoint`](super::Endpoint), which agrees on
/// calls, runs them and tells failures as the transport `socket` does.
pub trait Channel: Send + Sync {
    /// Reads what has come: at least a byte, or 0 if the other end is gone for good.
    ///
    /// # Errors
    /// Nothing is there now ([`io::ErrorKind::WouldBlock`]); the stream is broken.
    fn read(&self, into: &mut [u8]) -> io::Result<usize>;

    /// Writes as many of these bytes as are taken now.
    ///
    /// # Errors
    /// None are ([`io::ErrorKind::WouldBlock`]); the stream is broken.
    fn write(&self, parts: &[IoSlice<'_>]) -> io::Result<usize>;

    /// Whether what was written goes on its way without another call of this process.
    fn is_sent(&self) -> bool;
}
