//! What comes from another process.

use crate::channel::LOOKS;
use crate::wire::{Inbox, Wire};
use bytes::Bytes;
use ringwood_base::{Error, Result};
use ringwood_transport::process::{Parcel, receive};
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::thread::yield_now;

/// Messages from another process, with the files that they bring.
pub(super) struct Inlet {
    chunk: Box<[u8]>,
    inbox: Inbox,
    files: VecDeque<OwnedFd>,
}

/// What one read takes.
const CHUNK: usize = 64 << 10;

impl Default for Inlet {
    fn default() -> Self {
        Self { chunk: [0; CHUNK].into(), inbox: Inbox::default(), files: VecDeque::new() }
    }
}

impl Inlet {
    /// Reads what there is, which may be nothing unless it `waits`; whether the stream goes on.
    pub(super) fn read(&mut self, stream: &UnixStream, waits: bool) -> io::Result<bool> {
        let mut come = receive(stream, &mut self.chunk, &mut self.files, false);
        for look in 1..=if waits { LOOKS } else { 0 } {
            if !is_empty(&come) {
                break;
            }
            yield_now();
            come = receive(stream, &mut self.chunk, &mut self.files, look == LOOKS);
        }
        match come {
            Ok(0) => Ok(false),
            Ok(count) => {
                self.inbox.extend(&self.chunk[..count]);
                Ok(true)
            }
            Err(cause) => match cause.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(true),
                io::ErrorKind::ConnectionReset => Ok(false),
                _ => Err(cause),
            },
        }
    }

    /// The next message, if it is whole.
    pub(super) fn next<T: Wire>(&mut self) -> Result<Option<T>> {
        let Self { inbox, files, .. } = self;
        inbox.next(|| {
            let file = files.pop_front().ok_or_else(|| {
                Error::protocol("a message of another process comes without its file")
            })?;
            Parcel::map(file).map(Bytes::from_owner)
        })
    }
}

/// Whether nothing has come yet.
fn is_empty(come: &io::Result<usize>) -> bool {
    matches!(come, Err(cause) if cause.kind() == io::ErrorKind::WouldBlock)
}
