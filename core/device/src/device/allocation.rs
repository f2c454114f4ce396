//! Memory that a device gave out.

use super::hardware::Hardware;
use super::hazard::Wait;
use super::memory::Grave;
use super::timeline::TimelinePoint;
use crate::backend::Handle;
use ringwood_base::sync::atomic::Ordering;
use ringwood_base::{Error, ErrorKind, Result};
use std::sync::Arc;

/// Memory of a device under a buffer and its parts; freed after its last use.
pub(crate) struct Pool {
    pub(crate) id: u32,
    pub(crate) memory: Handle,
    pub(crate) bytes: usize,
    pub(crate) hardware: Arc<Hardware>,
    /// The uses that may not be over when the buffer goes.
    pub(crate) last: Vec<TimelinePoint>,
}

impl Hardware {
    /// Uninitialised memory under a fresh pool id.
    pub(crate) fn allocate(self: &Arc<Self>, bytes: usize) -> Result<Pool> {
        self.memory.drain();
        self.memory.limit_waiting(bytes);
        self.memory.allocations.fetch_add(1, Ordering::Relaxed);
        let (memory, bytes) = match self.memory.reuse(bytes) {
            Some(kept) => kept,
            None => (self.fresh(bytes)?, bytes),
        };
        let id = self.shared.pools.fetch_add(1, Ordering::Relaxed);
        Ok(Pool { id, memory, bytes, hardware: self.clone(), last: Vec::new() })
    }

    /// Memory of the backend, which gets what is kept, then what waits, the oldest first, if it has no more.
    fn fresh(&self, bytes: usize) -> Result<Handle> {
        if !self.memory.reserve_in_time(bytes, super::PATIENCE) {
            return Err(self.out_of_memory(bytes));
        }
        self.memory.make_room();
        let mut allocated = self.backend.allocate(&self.handle, bytes);
        while is_out_of_memory(&allocated)
            && (self.memory.release_cache() || self.memory.free_in_turn(super::PATIENCE))
        {
            allocated = self.backend.allocate(&self.handle, bytes);
        }
        allocated.map_err(|error| {
            self.memory.release(bytes);
            let full = error.kind() == ErrorKind::OutOfMemory;
            let in_use = self.memory.in_use();
            let error =
                error.with("device", &self.name).with("asked", bytes).with("in use", in_use);
            match self.memory.limit() {
                Some(limit) if full => error.with("limit", limit),
                _ => error,
            }
        })
    }

    /// What `call` gives, for which the backend takes memory beside that of buffers: if it has no more,
    /// `call` is made again after the backend got what is kept, and if that is not enough, all that waits for its last use.
    ///
    /// The caller holds no lock: what waits may take long.
    ///
    /// # Errors
    /// Those of `call`.
    pub(crate) fn reclaiming<T>(&self, call: impl Fn() -> Result<T>) -> Result<T> {
        let mut given = call();
        if is_out_of_memory(&given) && self.memory.release_cache() {
            given = call();
        }
        if !is_out_of_memory(&given) {
            return given;
        }
        self.memory.free_all(super::PATIENCE);
        call()
    }

    fn out_of_memory(&self, asked: usize) -> Error {
        let in_use = self.memory.in_use();
        let limit = self.memory.limit().unwrap_or(usize::MAX);
        Error::out_of_memory(format!(
            "cannot allocate {asked} bytes on {}: {in_use} bytes of its limit of {limit} are in use",
            self.name
        ))
            .with("asked", asked)
            .with("limit", limit)
            .with("in use", in_use)
            .help("drop tensors, or raise the limit with `Device::set_memory_limit`")
    }
}

fn is_out_of_memory<T>(given: &Result<T>) -> bool {
    given.as_ref().is_err_and(|error| error.kind() == ErrorKind::OutOfMemory)
}

impl Drop for Pool {
    fn drop(&mut self) {
        let last = std::mem::take(&mut self.last);
        let memory = &self.hardware.memory;
        if self.hardware.omitted.contains(Wait::FreeAfterUse) {
            memory.release(self.bytes);
        } else if last.iter().all(TimelinePoint::is_done) {
            memory.free(self.memory.clone(), self.bytes);
        } else {
            memory.bury(Grave { memory: self.memory.clone(), bytes: self.bytes, last });
        }
    }
}
