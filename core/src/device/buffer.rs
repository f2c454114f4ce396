//! Device memory with one hazard record.

use super::hardware::Pool;
use super::hazard::Hazard;
use super::lane::Tick;
use super::{Device, lock};
use crate::backend::Region;
use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// The identity of a buffer: its pool, counted by the run time, and its place in it.
///
/// Two fresh run times that do the same things give the same identities. Buffers of 0 bytes may
/// share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct BufferId {
    /// The pool.
    pub pool: u32,
    /// The first byte in the pool.
    pub offset: usize,
}

impl fmt::Display for BufferId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pool {} + {}", self.pool, self.offset)
    }
}

/// Bytes of device memory, and who used them last; a clone is another handle to the same bytes.
///
/// The memory is freed after the last handle is gone *and* the last work that uses it is over.
#[derive(Clone)]
pub struct Buffer(Arc<Inner>);

struct Inner {
    serial: u64,
    pool: Arc<Pool>,
    offset: usize,
    bytes: usize,
    device: Device,
    hazard: Mutex<Hazard>,
}

impl Buffer {
    /// `bytes` bytes at `offset` of a pool of `device`.
    pub(crate) fn new(device: &Device, pool: &Arc<Pool>, offset: usize, bytes: usize) -> Self {
        let serial = device.hardware().shared.buffers.fetch_add(1, Ordering::Relaxed);
        let (pool, device) = (pool.clone(), device.clone());
        Self(Arc::new(Inner { serial, pool, offset, bytes, device, hazard: Mutex::default() }))
    }

    /// The identity.
    pub fn id(&self) -> BufferId {
        BufferId { pool: self.0.pool.id, offset: self.0.offset }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }

    /// The device whose memory it is.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// All bytes, as an argument of a submission.
    pub fn region(&self) -> Region<'_, Buffer> {
        Region { memory: self, offset: 0, bytes: self.0.bytes }
    }

    /// Whether all work that uses the buffer is over.
    pub fn is_idle(&self) -> bool {
        lock(&self.0.hazard).uses().all(Tick::settled)
    }

    /// Whether two handles mean the same bytes.
    pub fn same(&self, other: &Buffer) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn is_unique(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// The order in which submissions lock buffers.
    pub(crate) fn serial(&self) -> u64 {
        self.0.serial
    }

    pub(crate) fn hazard(&self) -> &Mutex<Hazard> {
        &self.0.hazard
    }

    /// A part of the buffer as the backend sees it.
    pub(crate) fn resolve(region: Region<'_, Buffer>) -> Region<'_, crate::backend::Handle> {
        let buffer = &region.memory.0;
        Region {
            memory: &buffer.pool.memory,
            offset: buffer.offset + region.offset,
            bytes: region.bytes,
        }
    }

    /// The address of the first byte in the host's address space.
    pub(crate) fn host_address(&self) -> Result<NonNull<u8>> {
        let start = self.0.device.hardware().backend.host_address(&self.0.pool.memory)?;
        if self.0.bytes == 0 {
            return Ok(start);
        }
        // SAFETY: `offset` lies within the pool, whose `bytes` bytes the backend placed at `start`.
        Ok(unsafe { start.add(self.0.offset) })
    }
}

/// Refuses a region that leaves its buffer.
pub(crate) fn check_bounds(region: &Region<'_, Buffer>) -> Result<()> {
    let size = region.memory.bytes();
    let end = region.offset.checked_add(region.bytes);
    if end.is_some_and(|end| end <= size) {
        return Ok(());
    }
    let (from, bytes) = (region.offset, region.bytes);
    let message = format!("{bytes} bytes from {from} leave a buffer of {size} bytes");
    Err(Error::new(ErrorKind::OutOfBounds, message).with("buffer", region.memory.id()))
}

impl Drop for Inner {
    fn drop(&mut self) {
        let hazard = std::mem::take(&mut *lock(&self.hazard));
        self.pool.used(hazard.uses().filter(|tick| !tick.is_done()).cloned());
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} on {}, {} bytes)", self.id(), self.device().name(), self.bytes())
    }
}
