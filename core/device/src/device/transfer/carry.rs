//! Elements on their way from one device to another.

use super::Route;
use crate::backend::Region;
use crate::device::{Buffer, Device, PATIENCE, Stream};
use ringwood_base::{Error, Result};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

impl Route {
    /// The best route from `source` to `target`.
    pub fn between(source: &Device, target: &Device) -> Route {
        let (from, to) = (source.capabilities(), target.capabilities());
        let one_backend = Arc::ptr_eq(source.backend(), target.backend());
        match () {
            () if source == target => Self::Local,
            () if one_backend && from.peer_copy && to.peer_copy => Self::Peer,
            () if from.pinned_host || to.pinned_host => Self::Pinned,
            () => Self::Host,
        }
    }
}

impl Stream {
    /// Copies between buffers of any two devices; the target is on the device of this stream. If the
    /// host has to read the source, it does so on the stream that `reader` gives.
    /// Returns the number of the submission.
    pub(crate) fn transfer(
        &self,
        source: Region<'_, Buffer>,
        target: Region<'_, Buffer>,
        reader: impl FnOnce() -> Result<Stream>,
        timeout: Duration,
    ) -> Result<u64> {
        match self.begin_transfer(source, target, reader)? {
            Begun::Direct(at) => Ok(at),
            Begun::Carried(carried) => carried.write(timeout),
        }
    }

    /// As [`Stream::transfer`], but the host waits for nothing.
    pub(crate) fn begin_transfer(
        &self,
        source: Region<'_, Buffer>,
        target: Region<'_, Buffer>,
        reader: impl FnOnce() -> Result<Stream>,
    ) -> Result<Begun> {
        let route = Route::between(source.memory.device(), self.device());
        let begun = if route.is_direct() {
            Begun::Direct(self.copy_region(source, target)?)
        } else {
            let fetch = reader()?.begin_fetch(source, |bytes| Arc::from(bytes))?;
            let (offset, bytes) = (target.offset, target.bytes);
            let target = (target.memory.clone(), offset, bytes);
            Begun::Carried(Carried { fetch, stream: self.clone(), target })
        };
        self.device().hardware().routes.count(route, source.bytes);
        Ok(begun)
    }

    /// Reads `source`, after the work that writes it, makes something of its bytes, and waits for it.
    pub(crate) fn fetch_as<T: Send + 'static>(
        &self,
        source: Region<'_, Buffer>,
        timeout: Duration,
        make: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Result<T> {
        self.begin_fetch(source, make)?.wait(timeout)
    }

    fn begin_fetch<T: Send + 'static>(
        &self,
        source: Region<'_, Buffer>,
        make: impl FnOnce(&[u8]) -> T + Send + 'static,
    ) -> Result<Fetch<T>> {
        let (send, made) = mpsc::sync_channel(1);
        let sink = Box::new(move |bytes: Result<&[u8]>| {
            let _ = send.send(bytes.map(make));
        });
        self.read(source, sink)?;
        let (source, bytes) = (source.memory.clone(), source.bytes);
        Ok(Fetch { made, stream: self.clone(), source, bytes })
    }
}

/// A transfer that was begun.
pub(crate) enum Begun {
    /// The number of its submission.
    Direct(u64),
    Carried(Carried),
}

/// A transfer through the host that was begun: the source is being read, and the target is as it was.
///
/// Dropping it leaves the target so.
#[must_use = "the target is written by `finish`"]
pub struct Carried {
    fetch: Fetch<Arc<[u8]>>,
    stream: Stream,
    target: (Buffer, usize, usize),
}

impl Carried {
    /// Waits for the bytes and submits the write of the target.
    ///
    /// # Errors
    /// The failure of either stream.
    pub fn finish(self) -> Result<()> {
        self.write(PATIENCE).map(drop)
    }

    /// As [`Carried::finish`]; the number of the submission.
    pub(crate) fn write(self, timeout: Duration) -> Result<u64> {
        let bytes = self.fetch.wait(timeout)?;
        let (memory, offset, size) = &self.target;
        self.stream.write_region(bytes, Region { memory, offset: *offset, bytes: *size })
    }
}

/// What a backend makes of the bytes of a buffer, once it has read them.
struct Fetch<T> {
    made: Receiver<Result<T>>,
    stream: Stream,
    source: Buffer,
    bytes: usize,
}

impl<T> Fetch<T> {
    fn wait(&self, timeout: Duration) -> Result<T> {
        let of = |what: &str| format!("{what} {} bytes of {:?}", self.bytes, self.source);
        match self.made.recv_timeout(timeout) {
            Ok(made) => made.map_err(|error| self.stream.timeline().timeline.diagnose(error)),
            Err(RecvTimeoutError::Timeout) => {
                Err(Error::timeout(format!("{} took longer than {timeout:?}", of("reading"))))
            }
            Err(RecvTimeoutError::Disconnected) => {
                Err(Error::backend(format!("the backend dropped the sink of {}", of("a read of"))))
            }
        }
    }
}
