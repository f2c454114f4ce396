//! The host's own access to the elements of a tensor.

use super::stream::Submitting;
use super::timeline::TimelinePoint;
use super::{Tensor, lock};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, Result};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The host inside of a buffer; device work on it is refused until this is dropped.
struct Visit<'a> {
    tensor: &'a Tensor,
}

impl<'a> Visit<'a> {
    /// Keeps new work out, then waits until the work in flight is over: that which reads, too, if the host
    /// writes the elements themselves.
    fn enter(tensor: &'a Tensor, writing: bool, deadline: Instant) -> Result<Self> {
        let buffer = tensor.buffer();
        let _submitting = Submitting::enter()?;
        let waits = buffer.enter(writing)?;
        let visit = Self { tensor };
        for point in &waits.results {
            point.block(left(deadline))?;
        }
        if tensor.device().capabilities().host_memory {
            waits.ends.iter().try_for_each(|point| end(point, left(deadline)))?;
        }
        Ok(visit)
    }
}

fn left(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

/// Waits until the work of `point` is over, whatever its outcome.
fn end(point: &TimelinePoint, timeout: Duration) -> Result<()> {
    match point.block(timeout) {
        Err(error) if !point.settled() => Err(error),
        _ => Ok(()),
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        lock(self.tensor.buffer().record()).hazard.leave();
    }
}

impl Tensor {
    /// Waits for the work that writes the elements.
    ///
    /// ```
    /// use ringwood_base::Result;
    /// use ringwood_device::device::Tensor;
    /// use std::time::Duration;
    ///
    /// fn is_there(tensor: &Tensor) -> Result<()> {
    ///     tensor.wait(Duration::from_secs(10))
    /// }
    /// ```
    ///
    /// # Errors
    /// The failure of the work, [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout), or a kernel or a sink asks.
    pub fn wait(&self, timeout: Duration) -> Result<()> {
        let _submitting = Submitting::enter()?;
        let last = {
            let record = lock(self.buffer().record());
            self.buffer().check(&record)?;
            record.check_written()?;
            record.hazard.last_write().cloned()
        };
        last.map_or(Ok(()), |point| point.block(timeout))
    }

    /// Calls `f` with the elements' bytes, after the work that writes them; device work that
    /// writes the buffer is refused until `f` returns.
    ///
    /// On a device with [`host_memory`](crate::backend::Capabilities::host_memory) these are the
    /// elements themselves, else a copy.
    ///
    /// # Errors
    /// The failure of the work, [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout), or the host is writing the buffer already.
    pub fn host_ref<R>(&self, timeout: Duration, f: impl FnOnce(&[u8]) -> R) -> Result<R> {
        if !self.device().capabilities().host_memory {
            return Ok(f(&self.fetch(timeout)?));
        }
        let _visit = Visit::enter(self, false, deadline(timeout))?;
        let (address, bytes) = (self.address()?, self.bytes());
        // SAFETY: the region lies in the buffer, which `self` keeps alive; the work that wrote it is
        // over, and the visit keeps writers, on the device and on the host, away.
        Ok(f(unsafe { std::slice::from_raw_parts(address, bytes) }))
    }

    /// Calls `f` with the elements' bytes, after the work that writes them; device work that uses
    /// the buffer is refused until `f` returns.
    ///
    /// On a device with [`host_memory`](crate::backend::Capabilities::host_memory) these are the
    /// elements themselves, after the work that reads them, too; else a copy that is written back before
    /// any later work.
    ///
    /// # Errors
    /// The failure of the work, [`ErrorKind::Timeout`](ringwood_base::ErrorKind::Timeout), or the host is using the buffer already.
    pub fn host_mut<R>(&mut self, timeout: Duration, f: impl FnOnce(&mut [u8]) -> R) -> Result<R> {
        let deadline = deadline(timeout);
        let visit = Visit::enter(self, true, deadline)?;
        if !self.device().capabilities().host_memory {
            let inside = self.inside();
            let mut bytes = inside.fetch(left(deadline))?;
            let result = f(&mut bytes);
            self.device().stream()?.write(Arc::from(bytes), inside.region())?;
            return Ok(result);
        }
        let (address, bytes) = (visit.tensor.address()?, visit.tensor.bytes());
        lock(visit.tensor.buffer().record()).written(true);
        // SAFETY: the region lies in the buffer, which `self` keeps alive; all work that used it is
        // over, and the visit keeps everyone else, on the device and on the host, away.
        Ok(f(unsafe { std::slice::from_raw_parts_mut(address, bytes) }))
    }

    fn address(&self) -> Result<*mut u8> {
        let (start, region) = (self.buffer().host_address()?, self.region());
        if region.bytes == 0 {
            return Ok(start.as_ptr());
        }
        // SAFETY: the region lies in the buffer, whose bytes follow `start`.
        let first = unsafe { start.add(region.offset) };
        // The elements start at a multiple of their size in the backend's memory, which may start at none.
        if !first.addr().get().is_multiple_of(self.dtype().size()) {
            return Err(Error::backend(format!("the memory of {self:?} is not aligned")));
        }
        Ok(first.as_ptr())
    }
}
