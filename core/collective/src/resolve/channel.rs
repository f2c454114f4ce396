//! Messages between a worker and its rendezvous, in JSON. In a stream of bytes, four bytes of length come before each,
//! little end first.

use ringwood_base::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

/// A connection that carries messages in both directions, in order. One thread sends at a time, and another one receives.
pub trait Channel: Send + Sync + 'static {
    /// Sends a message.
    ///
    /// # Errors
    /// The connection has ended, or the other side takes nothing.
    fn send<T: Serialize>(&self, message: &T) -> Result<()>;

    /// Waits for the next message.
    ///
    /// # Errors
    /// The connection has ended, or what comes is no message.
    fn receive<T: DeserializeOwned>(&self) -> Result<T>;

    /// Ends the connection in both directions, for the other side as well.
    fn close(&self);
}

/// A peer that takes nothing for so long is lost.
const WRITE_BOUND: Duration = Duration::from_secs(5);

macro_rules! channel {
    ($($stream:ty),*) => {$(
        impl Channel for $stream {
            fn send<T: Serialize>(&self, message: &T) -> Result<()> {
                let bytes = serde_json::to_vec(message)
                    .map_err(|cause| Error::protocol("a message is not JSON").because(cause))?;
                let length = fits(bytes.len())? as u32;
                let frame = [&length.to_le_bytes(), &bytes[..]].concat();
                let bounded = self.set_write_timeout(Some(WRITE_BOUND));
                bounded.and_then(|()| (&mut &*self).write_all(&frame)).map_err(broken)
            }

            fn receive<T: DeserializeOwned>(&self) -> Result<T> {
                let (mut stream, mut length) = (self, [0; 4]);
                stream.read_exact(&mut length).map_err(broken)?;
                let mut bytes = vec![0; fits(u32::from_le_bytes(length) as usize)?];
                stream.read_exact(&mut bytes).map_err(broken)?;
                serde_json::from_slice(&bytes).map_err(|cause| {
                    Error::protocol("a message of the rendezvous cannot be read").because(cause)
                })
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

/// # Errors
/// A message is not so long.
fn fits(length: usize) -> Result<usize> {
    let long = || format!("a message of the rendezvous of {length} bytes exceeds {LONGEST}");
    (length <= LONGEST).then_some(length).ok_or_else(|| Error::protocol(long()))
}

fn broken(cause: io::Error) -> Error {
    Error::aborted("the stream of the rendezvous is broken").because(cause)
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
