//! What is on its way to another process.

use crate::wire::Packet;
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_transport::process::{Parcel, send};
use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, OnceLock};

/// Frames on their way to another process, in order.
#[derive(Default)]
pub(super) struct Outbox {
    frames: VecDeque<Frame>,
}

struct Frame {
    bytes: Vec<u8>,
    sent: usize,
    file: Arc<OnceLock<OwnedFd>>,
}

impl Outbox {
    /// Adds a message to an outbox. What travels beside it is written before that is locked, as it may take seconds, and
    /// others answer the controller by it.
    ///
    /// # Errors
    /// There is no memory for it.
    pub(super) fn push(outbox: &Mutex<Self>, packet: Packet) -> Result<()> {
        let Packet { bytes, parts, file } = packet;
        if !parts.is_empty() && file.get().is_none() {
            let _ = file.set(Parcel::write(&parts)?);
        }
        let frames = &mut lock(outbox).frames;
        match frames.back_mut() {
            // Small messages travel together.
            Some(last) if parts.is_empty() && last.bytes.len() < TOGETHER => {
                last.bytes.extend(bytes);
            }
            _ => frames.push_back(Frame { bytes, sent: 0, file }),
        }
        Ok(())
    }

    /// Sends all if it `waits`, or else what the stream takes; whether all is sent.
    pub(super) fn flush(&mut self, stream: &UnixStream, waits: bool) -> io::Result<bool> {
        while let Some(frame) = self.frames.front_mut() {
            let file = frame.file.get().filter(|_| frame.sent == 0).map(AsFd::as_fd);
            match send(stream, &frame.bytes[frame.sent..], file, waits) {
                Ok(sent) => frame.sent += sent,
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(cause) => return Err(cause),
            }
            if frame.sent == frame.bytes.len() {
                self.frames.pop_front();
            }
        }
        Ok(true)
    }
}

/// Messages of fewer bytes travel in one call of the system.
const TOGETHER: usize = 16 << 10;

#[cfg(test)]
mod tests;
