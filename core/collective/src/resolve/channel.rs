//! Messages over a stream of bytes: four bytes of length, little end first, then JSON.

use ringwood_base::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

/// A connected stream of bytes in both directions, with several handles.
pub trait Channel: Read + Write + Send + Sync + 'static {
    /// Another handle of the same stream.
    ///
    /// # Errors
    /// The system has no more.
    fn another(&self) -> Result<Self>
    where
        Self: Sized;

    /// Ends the stream in both directions, for every handle and the other side.
    fn close(&self);
}

/// A peer that takes nothing for so long is lost.
const WRITE_BOUND: Duration = Duration::from_secs(5);

macro_rules! channel {
    ($($stream:ty),*) => {$(
        impl Channel for $stream {
            fn another(&self) -> Result<Self> {
                let clone = self.set_write_timeout(Some(WRITE_BOUND)).and_then(|()| self.try_clone());
                clone.map_err(broken)
            }

            fn close(&self) {
                // One that is closed already is what was asked for.
                let _ = self.shutdown(Shutdown::Both);
            }
        }
    )*};
}

channel!(UnixStream, TcpStream);

/// The longest message.
const LONGEST: usize = 1 << 20;

pub(super) fn write<T: Serialize>(stream: &mut (impl Write + ?Sized), message: &T) -> Result<()> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, message)
        .map_err(|cause| Error::protocol("a message is not JSON").because(cause))?;
    let length = bytes.len() - 4;
    if length > LONGEST {
        return Err(too_long(length));
    }
    bytes[..4].copy_from_slice(&(length as u32).to_le_bytes());
    stream.write_all(&bytes).and_then(|()| stream.flush()).map_err(broken)
}

/// The next message; the end of the stream is an error too.
pub(super) fn read<T: DeserializeOwned>(stream: &mut impl Read) -> Result<T> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).map_err(broken)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(too_long(length));
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).map_err(broken)?;
    serde_json::from_slice(&bytes).map_err(|cause| {
        Error::protocol("a message of the rendezvous cannot be read").because(cause)
    })
}

fn broken(cause: io::Error) -> Error {
    Error::aborted("the stream of the rendezvous is broken").because(cause)
}

fn too_long(length: usize) -> Error {
    Error::protocol(format!("a message of the rendezvous of {length} bytes exceeds {LONGEST}"))
}

/// Starts a thread that serves a channel or a clock.
pub(super) fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<()> {
    let spawned = thread::Builder::new().name(name.into()).spawn(body);
    spawned.map(drop).map_err(|cause| {
        Error::unavailable(format!("cannot start a thread for the {name}")).because(cause)
    })
}

#[cfg(test)]
mod tests;
