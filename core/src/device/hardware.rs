//! A device as memory and streams see it: the backend's handle, memory accounts, deferred freeing.

use super::hazard::{Omitted, Wait};
use super::lane::{Tick, keep_latest};
use super::lock;
use super::stream::StreamLane;
use crate::backend::{Capabilities, DynBackend, Handle};
use crate::registry::Registry;
use crate::{Error, ErrorKind, Result};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

/// How long the memory of a dropped device is kept for work that still uses it.
const LAST_WAIT: Duration = Duration::from_secs(10);

/// What all devices of a run time share: the registry and the counters of identities.
pub(crate) struct Shared {
    pub(crate) registry: Registry,
    pub(crate) streams: AtomicU32,
    pub(crate) pools: AtomicU32,
    pub(crate) buffers: AtomicU64,
    pub(crate) nodes: AtomicU64,
}

/// See the module.
pub(crate) struct Hardware {
    pub(crate) shared: Arc<Shared>,
    pub(crate) backend: Arc<dyn DynBackend>,
    pub(crate) handle: Handle,
    pub(crate) ordinal: usize,
    pub(crate) name: String,
    pub(crate) capabilities: Capabilities,
    pub(crate) memory: Memory,
    pub(crate) omitted: Omitted,
    /// The streams of the device, to wait for all of them.
    pub(crate) streams: Mutex<Vec<Weak<StreamLane>>>,
}

/// The memory accounts of one device.
pub(crate) struct Memory {
    in_use: AtomicUsize,
    limit: AtomicUsize,
    /// Memory whose buffers are gone and whose last use may not be over, oldest first.
    graves: Mutex<VecDeque<Grave>>,
    /// About the length of `graves`, to look at without a lock.
    buried: AtomicUsize,
    /// Held while waiting for memory to be freed, so that one waits for it at a time.
    turn: Mutex<()>,
}

struct Grave {
    memory: Handle,
    bytes: usize,
    last: Vec<Tick>,
}

/// Memory of a device that one or several buffers share; freed after the last use of all of them.
pub(crate) struct Pool {
    pub(crate) id: u32,
    pub(crate) memory: Handle,
    pub(crate) bytes: usize,
    pub(crate) hardware: Arc<Hardware>,
    last: Mutex<Vec<Tick>>,
}

impl Memory {
    pub(crate) fn new(limit: Option<usize>) -> Self {
        Self {
            in_use: AtomicUsize::new(0),
            limit: AtomicUsize::new(limit.unwrap_or(usize::MAX)),
            graves: Mutex::new(VecDeque::new()),
            buried: AtomicUsize::new(0),
            turn: Mutex::default(),
        }
    }

    pub(crate) fn in_use(&self) -> usize {
        self.in_use.load(Ordering::Acquire)
    }

    pub(crate) fn limit(&self) -> Option<usize> {
        Some(self.limit.load(Ordering::Acquire)).filter(|&limit| limit != usize::MAX)
    }

    pub(crate) fn set_limit(&self, bytes: Option<usize>) {
        self.limit.store(bytes.unwrap_or(usize::MAX), Ordering::Release);
    }

    fn reserve(&self, bytes: usize) -> bool {
        let limit = self.limit.load(Ordering::Acquire);
        let grow = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= limit);
        self.in_use.fetch_update(Ordering::AcqRel, Ordering::Acquire, grow).is_ok()
    }

    fn release(&self, bytes: usize) {
        self.in_use.fetch_sub(bytes, Ordering::AcqRel);
    }

    fn free(&self, grave: Grave) {
        drop(grave.memory);
        self.release(grave.bytes);
    }

    fn bury(&self, grave: Grave) {
        let mut graves = lock(&self.graves);
        graves.push_back(grave);
        self.buried.store(graves.len(), Ordering::Release);
    }

    /// Frees the oldest memory whose last use is over.
    pub(crate) fn drain(&self) {
        if self.buried.load(Ordering::Acquire) == 0 {
            return;
        }
        let Ok(mut graves) = self.graves.try_lock() else { return };
        let mut freed = Vec::new();
        while graves.front().is_some_and(|grave| grave.last.iter().all(Tick::settled)) {
            freed.extend(graves.pop_front());
        }
        self.buried.store(graves.len(), Ordering::Release);
        drop(graves);
        for grave in freed {
            self.free(grave);
        }
    }

    /// As [`Memory::reserve`], waiting for memory whose last use is under way if that helps.
    fn reserve_in_time(&self, bytes: usize, timeout: Duration) -> bool {
        if self.reserve(bytes) {
            return true;
        }
        let _turn = lock(&self.turn);
        loop {
            if self.reserve(bytes) {
                return true;
            }
            if !self.free_oldest(timeout) {
                return false;
            }
        }
    }

    /// Frees the oldest buried memory, blocking for its last use; whether there was any in time.
    fn free_oldest(&self, timeout: Duration) -> bool {
        let Some(grave) = lock(&self.graves).pop_front() else { return false };
        for tick in &grave.last {
            let _ = tick.block(timeout);
        }
        let settled = grave.last.iter().all(Tick::settled);
        if settled {
            self.free(grave);
        } else {
            self.bury(grave);
        }
        settled
    }
}

impl Hardware {
    /// Uninitialised memory under a fresh pool id.
    pub(crate) fn allocate(self: &Arc<Self>, bytes: usize) -> Result<Pool> {
        self.memory.drain();
        if !self.memory.reserve_in_time(bytes, super::PATIENCE) {
            return Err(self.out_of_memory(bytes));
        }
        match self.backend.allocate(&self.handle, bytes) {
            Ok(memory) => {
                let id = self.shared.pools.fetch_add(1, Ordering::Relaxed);
                Ok(Pool { id, memory, bytes, hardware: self.clone(), last: Mutex::default() })
            }
            Err(error) => {
                self.memory.release(bytes);
                let in_use = self.memory.in_use();
                Err(error.with("device", &self.name).with("asked", bytes).with("in use", in_use))
            }
        }
    }

    fn out_of_memory(&self, asked: usize) -> Error {
        let in_use = self.memory.in_use();
        let limit = self.memory.limit().unwrap_or(usize::MAX);
        let message = format!(
            "cannot allocate {asked} bytes on {}: {in_use} bytes of its limit of {limit} are in use",
            self.name
        );
        Error::new(ErrorKind::OutOfMemory, message)
            .with("asked", asked)
            .with("limit", limit)
            .with("in use", in_use)
            .help("drop tensors, or raise the limit with `Device::set_memory_limit`")
    }
}

impl Drop for Hardware {
    fn drop(&mut self) {
        while self.memory.free_oldest(LAST_WAIT) {}
        // What is still in use then is never freed: that is safe, freeing it is not.
        std::mem::forget(std::mem::take(&mut *lock(&self.memory.graves)));
    }
}

impl Pool {
    /// Remembers the last uses of one of its buffers, which is going away.
    pub(crate) fn used(&self, ticks: impl IntoIterator<Item = Tick>) {
        let mut last = lock(&self.last);
        for tick in ticks {
            keep_latest(&mut last, &tick);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let last = std::mem::take(&mut *lock(&self.last));
        let memory = &self.hardware.memory;
        if self.hardware.omitted.contains(Wait::FreeAfterUse) || last.iter().all(Tick::is_done) {
            memory.release(self.bytes);
        } else {
            let grave = Grave { memory: self.memory.clone(), bytes: self.bytes, last };
            memory.bury(grave);
        }
    }
}
