//! The streams of a device.

use super::{Stream, scoped};
use crate::device::stream_timeline::StreamTimeline;
use crate::device::{Device, lock};
use ringwood_base::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Device {
    /// The stream of the innermost [`Stream::scope`] on this device, else the default stream,
    /// which is opened on first use.
    ///
    /// A default stream that failed is replaced by a new one of its kind once somebody was told of the
    /// failure: by a call that was refused, or by a wait.
    ///
    /// # Errors
    /// The backend cannot open a stream.
    pub fn stream(&self) -> Result<Stream> {
        if let Some(stream) = scoped(self) {
            return Ok(stream);
        }
        let timeline = self.hardware().reclaiming(|| self.default_timeline())?;
        Ok(Stream::new(timeline, self.clone()))
    }

    /// The default stream, opened with the memory that there is: nobody waits for more in its place.
    fn default_timeline(&self) -> Result<Arc<StreamTimeline>> {
        let mut default = lock(&self.streams().default);
        let kind = match &*default {
            Some(used) if !used.timeline.is_reported() => return Ok(used.clone()),
            Some(failed) => failed.kind(),
            None => "",
        };
        let fresh = self.streams().open(self.hardware(), kind)?;
        Ok(default.insert(fresh).clone())
    }

    /// A stream of its own, of one of [`Capabilities::stream_kinds`] with an optional argument
    /// after a colon: `threaded`, `chaos:42`. The empty kind is the default one.
    ///
    /// [`Capabilities::stream_kinds`]: crate::backend::Capabilities::stream_kinds
    ///
    /// # Errors
    /// The backend knows no such kind, or cannot open a stream.
    pub fn new_stream(&self, kind: &str) -> Result<Stream> {
        let timeline = self.hardware().reclaiming(|| self.streams().open(self.hardware(), kind))?;
        Ok(Stream::new(timeline, self.clone()))
    }

    /// Makes a stream the default one, to run a program on another kind.
    ///
    /// # Errors
    /// The stream belongs to another device.
    pub fn set_stream(&self, stream: &Stream) -> Result<()> {
        if stream.device() != self {
            let (owner, name) = (stream.device().told_from(self), self.name());
            let message = format!("a stream of {owner} cannot be the default stream of {name}");
            return Err(Error::device(message));
        }
        *lock(&self.streams().default) = Some(stream.timeline().clone());
        Ok(())
    }

    /// Blocks the host until every stream of the device is done, whoever opened it. Work of streams
    /// that were dropped is not waited for.
    ///
    /// Equivalent to `cudaDeviceSynchronize`.
    ///
    /// # Errors
    /// The failure of the first stream that failed, by identity, after all have ended; of which nobody
    /// was told before, by this or another call. [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout).
    pub fn synchronize(&self, timeout: Duration) -> Result<()> {
        let start = Instant::now();
        let ends = self.streams().alive().into_iter().map(|stream| {
            let left = timeout.saturating_sub(start.elapsed());
            let known = stream.timeline.is_reported();
            let stream = Stream::new(stream, self.clone());
            let ended = stream.synchronize(left);
            ended.or_else(|e| if known && stream.record().is_done() { Ok(()) } else { Err(e) })
        });
        ends.fold(Ok(()), Result::and)
    }
}
