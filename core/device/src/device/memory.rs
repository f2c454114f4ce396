//! The memory accounts of a device: what is in use, what waits for its last use, what is kept.

mod cache;

use super::lock;
use super::stream::Submitting;
use super::timeline::TimelinePoint;
use crate::backend::queue::quarantine;
use crate::backend::{Handle, Progress};
use cache::Cache;
use ringwood_base::deadline::deadline;
use ringwood_base::sync::Mutex;
use ringwood_base::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How many bytes may wait for their last use before an allocation waits until fewer do.
const WAITING_BYTES: usize = 256 << 20;
/// How long it waits, and how long for the oldest piece before it looks at the others.
const PAUSE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(10);

/// The memory accounts of one device.
pub(crate) struct Memory {
    in_use: AtomicUsize,
    peak: AtomicUsize,
    limit: AtomicUsize,
    /// Memory whose buffers are gone and whose last use may not be over, oldest first.
    graves: Mutex<VecDeque<Grave>>,
    /// About the length of `graves`, to look at without a lock.
    buried: AtomicUsize,
    /// The bytes that wait for their last use, and how many may before an allocation waits.
    waiting: AtomicUsize,
    most_waiting: AtomicUsize,
    /// Held while waiting for memory to be freed, so that one waits for it at a time.
    turn: Mutex<()>,
    cache: Mutex<Cache>,
    /// How often memory was given out, and how often it came from the cache.
    pub(super) allocations: AtomicU64,
    reused: AtomicU64,
}

pub(super) struct Grave {
    pub(super) memory: Handle,
    pub(super) bytes: usize,
    pub(super) last: Vec<TimelinePoint>,
}

/// The memory of a device, as [`DeviceReport`](super::DeviceReport) shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MemoryReport {
    /// The bytes in use, with those that wait for their last use to be over.
    pub in_use: usize,
    /// The most bytes that were in use.
    pub peak: usize,
    /// The bytes that may be in use.
    pub limit: Option<usize>,
    /// The pieces of memory that wait for their last use to be over.
    pub waiting: usize,
    /// The bytes of freed memory that are kept for later buffers.
    pub cached: usize,
    /// The bytes of freed memory that may be kept.
    pub cache_limit: usize,
    /// How often memory was asked for.
    pub allocations: u64,
    /// How often kept memory served.
    pub reused: u64,
}

impl Memory {
    pub(crate) fn new(limit: Option<usize>) -> Self {
        Self {
            in_use: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            limit: AtomicUsize::new(limit.unwrap_or(usize::MAX)),
            graves: Mutex::new(VecDeque::new()),
            buried: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            most_waiting: AtomicUsize::new(WAITING_BYTES),
            turn: Mutex::default(),
            cache: Mutex::default(),
            allocations: AtomicU64::new(0),
            reused: AtomicU64::new(0),
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
        self.make_room();
    }

    /// Keeps at most `bytes` bytes of freed memory from now on.
    pub(crate) fn set_cache_limit(&self, bytes: usize) {
        let mut cache = lock(&self.cache);
        cache.limit = bytes;
        let excess = cache.shrink(bytes);
        drop(cache);
        drop(excess);
    }

    /// Gives up all memory that is kept; whether there was any.
    pub(crate) fn release_cache(&self) -> bool {
        let excess = lock(&self.cache).shrink(0);
        !excess.is_empty()
    }

    pub(crate) fn report(&self) -> MemoryReport {
        let waiting = lock(&self.graves).len();
        let cache = lock(&self.cache);
        MemoryReport {
            in_use: self.in_use(),
            peak: self.peak.load(Ordering::Relaxed),
            limit: self.limit(),
            waiting,
            cached: cache.bytes,
            cache_limit: cache.limit,
            allocations: self.allocations.load(Ordering::Relaxed),
            reused: self.reused.load(Ordering::Relaxed),
        }
    }

    fn reserve(&self, bytes: usize) -> bool {
        let limit = self.limit.load(Ordering::Acquire);
        // No bytes leave the limit as it is, also where more than that is in use.
        let fits = |sum: &usize| bytes == 0 || *sum <= limit;
        let grow = |used: usize| used.checked_add(bytes).filter(fits);
        let before = self.in_use.fetch_update(Ordering::AcqRel, Ordering::Acquire, grow);
        if let Ok(before) = before {
            self.peak.fetch_max(before + bytes, Ordering::Relaxed);
        }
        before.is_ok()
    }

    pub(super) fn release(&self, bytes: usize) {
        self.in_use.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Kept memory of at least `bytes` bytes, reserved, with its size.
    pub(super) fn reuse(&self, bytes: usize) -> Option<(Handle, usize)> {
        let (memory, size) = lock(&self.cache).take(bytes)?;
        if !self.reserve(size) {
            return None;
        }
        self.reused.fetch_add(1, Ordering::Relaxed);
        Some((memory, size))
    }

    /// Gives up kept memory that would exceed the limit together with what is in use.
    pub(super) fn make_room(&self) {
        let limit = self.limit.load(Ordering::Acquire);
        let excess = lock(&self.cache).shrink(limit.saturating_sub(self.in_use()));
        drop(excess);
    }

    /// Takes back memory whose last use is over.
    pub(super) fn free(&self, memory: Handle, bytes: usize) {
        self.release(bytes);
        let excess = lock(&self.cache).put(memory, bytes);
        drop(excess);
    }

    pub(super) fn bury(&self, grave: Grave) {
        let mut graves = lock(&self.graves);
        self.waiting.fetch_add(grave.bytes, Ordering::AcqRel);
        graves.push_back(grave);
        self.count(&graves);
    }

    /// Says how much is buried. Where nothing is, the device has caught up with the host.
    fn count(&self, graves: &VecDeque<Grave>) {
        self.buried.store(graves.len(), Ordering::Release);
        if graves.is_empty() {
            self.most_waiting.store(WAITING_BYTES, Ordering::Release);
        }
    }

    /// Frees all memory whose last use is over, also behind some whose last use is not.
    fn sweep(&self) {
        let mut graves = lock(&self.graves);
        for grave in std::mem::take(&mut *graves) {
            graves.extend(self.open(grave).err());
        }
        self.count(&graves);
    }

    /// Frees the oldest memory whose last use is over.
    pub(crate) fn drain(&self) {
        if self.buried.load(Ordering::Acquire) == 0 {
            return;
        }
        // Held until the memory is free: who finds no grave finds the memory.
        let Ok(mut graves) = self.graves.try_lock() else { return };
        while let Some(grave) = graves.pop_front() {
            if let Err(waiting) = self.open(grave) {
                graves.push_front(waiting);
                break;
            }
        }
        self.count(&graves);
    }

    /// Frees memory whose last use is over, which it says, and holds what nobody will know that of; other
    /// memory comes back.
    fn open(&self, grave: Grave) -> Result<bool, Grave> {
        let settled = grave.last.iter().all(TimelinePoint::settled);
        if !settled && !grave.last.iter().any(TimelinePoint::is_unknown) {
            return Err(grave);
        }
        self.waiting.fetch_sub(grave.bytes, Ordering::AcqRel);
        match settled {
            true => self.free(grave.memory, grave.bytes),
            false => quarantine(grave.memory, || false),
        }
        Ok(settled)
    }

    /// As [`Memory::reserve`], waiting for memory whose last use is under way if that helps.
    pub(super) fn reserve_in_time(&self, bytes: usize, timeout: Duration) -> bool {
        if self.reserve(bytes) {
            return true;
        }
        let _turn = lock(&self.turn);
        loop {
            self.sweep();
            if self.reserve(bytes) {
                return true;
            }
            if !self.free_oldest(timeout) {
                // Others may be over by now, or another thread has given back the last of it.
                self.sweep();
                return self.reserve(bytes);
            }
        }
    }

    /// Frees buried memory, blocking for it, while more waits than may where `bytes` bytes are
    /// asked for: the host runs ahead of the device by a bounded amount of memory.
    ///
    /// Work whose end needs something of this thread would not end: after a wait in vain twice as much may
    /// wait, until the device has caught up. A thread that runs work of a stream never waits.
    pub(super) fn limit_waiting(&self, bytes: usize) {
        let exceeds = || {
            let most = self.most_waiting.load(Ordering::Acquire).max(bytes.saturating_mul(2));
            self.waiting.load(Ordering::Acquire) > most
        };
        if !exceeds() || Submitting::is_under_way() || Progress::any_is_run_here() {
            return;
        }
        let (before, deadline) = (self.waiting.load(Ordering::Acquire), deadline(PAUSE));
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if !exceeds() || left.is_zero() {
                break;
            }
            match self.turn.try_lock() {
                Ok(_turn) if self.free_oldest(left.min(LOOK)) => {}
                Ok(_turn) => self.sweep(),
                // Another thread waits for memory, and may do so for long.
                Err(_) => std::thread::sleep(left.min(LOOK)),
            }
        }
        let waiting = self.waiting.load(Ordering::Acquire);
        if exceeds() && waiting >= before {
            self.most_waiting.fetch_max(waiting.saturating_mul(2), Ordering::AcqRel);
        }
    }

    /// As [`Memory::free_oldest`], one thread at a time; whether there may be more memory than before.
    pub(super) fn free_in_turn(&self, timeout: Duration) -> bool {
        let _turn = lock(&self.turn);
        self.free_oldest(timeout) || self.release_cache()
    }

    /// Frees all buried memory whose last use is over in time, blocking for it, and gives up all that is kept.
    pub(super) fn free_all(&self, timeout: Duration) {
        let _turn = lock(&self.turn);
        let deadline = deadline(timeout);
        while self.free_oldest(deadline.saturating_duration_since(Instant::now())) {}
        self.release_cache();
    }

    /// Frees the oldest buried memory, blocking for its last use; whether there was any in time.
    pub(crate) fn free_oldest(&self, timeout: Duration) -> bool {
        loop {
            let Some(grave) = lock(&self.graves).pop_front() else { return false };
            for point in &grave.last {
                point.outlast(timeout);
            }
            match self.open(grave) {
                Ok(true) => return true,
                Ok(false) => {}
                Err(waiting) => {
                    let mut graves = lock(&self.graves);
                    graves.push_front(waiting);
                    self.count(&graves);
                    return false;
                }
            }
        }
    }

    /// Gives up what still waits for its last use: it is freed when that is over.
    pub(crate) fn abandon(&self) {
        for Grave { memory, last, .. } in lock(&self.graves).drain(..) {
            quarantine(memory, move || last.iter().all(TimelinePoint::settled));
        }
    }
}
