//! Streams of bytes between two ranks.

use std::io::{self, IoSlice};
use std::os::fd::BorrowedFd;

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

    /// By what the system tells when there is something to read, or room to write; by nothing (the default), whoever
    /// waits looks again and again.
    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    /// Tells the other end that nothing more will come; it may see that by itself (the default).
    fn finish(&self) {}

    /// The host by which others reach this machine, if the stream comes over a network (not by default).
    fn host(&self) -> Option<String> {
        None
    }
}
