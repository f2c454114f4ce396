//! What the ranks of a group share: who has come, with what, and how far each has got.

mod agree;
pub(super) mod exchange;

use super::arrivals::{Arrivals, Unit};
use super::failure::Failure;
use super::late::Late;
use super::offer::Offer;
use super::record::Record;
use super::slab::Slab;
use super::wait::{Limit, Patience};
use super::words::Words;
use crossbeam_utils::CachePadded;
use ringwood_base::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use ringwood_base::sync::thread;
use ringwood_base::{Error, ErrorKind, Result};
use std::any::Any;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What the ranks of a group share, in the memory of their process or in one that several map. One
/// writer for each line of cache.
pub(super) struct Board {
    ranks: Slab<Slot>,
    pub(super) arrivals: Arrivals,
    words: Words,
    pub(super) failure: Arc<Failure>,
    pub(super) patience: Patience,
    watch: Option<Box<dyn Watch>>,
    looks: AtomicU32,
}

/// Tells whether ranks that are processes are alive.
pub(super) trait Watch: Send + Sync {
    fn is_alive(&self, rank: usize) -> bool;
}

/// Atomics only, and all of them may hold anything: a process that writes garbage there can keep
/// others waiting, to their timeouts, and no more.
#[derive(Default)]
#[repr(C)]
struct Slot {
    /// `call << STEP_BITS` plus the steps done in that call; wraps around.
    progress: CachePadded<AtomicU64>,
    memory: [CachePadded<[AtomicPtr<u8>; 3]>; 2],
    /// The rank that this one waited for last, counted from 1, and the progress that it asked for.
    waits: CachePadded<[AtomicU64; 2]>,
    presence: CachePadded<Presence>,
    /// The last call that the rank has told its words about. One is enough: a rank tells them when
    /// all have come to the call, so when all have heard those of earlier ones.
    told: CachePadded<AtomicU64>,
    /// The message that the rank offers.
    offer: CachePadded<Offer>,
}

#[derive(Default)]
#[repr(C)]
struct Presence {
    /// 1 if the rank may touch the memory of others.
    inside: AtomicU32,
    /// Whether the rank has come and gone.
    state: AtomicU32,
}

/// The rank has a communicator.
const HERE: u32 = 1;
/// The rank has dropped its communicator.
const GONE: u32 = 2;
/// Whether a process is alive is asked once in so many looks: that is a call of the system.
const LOOKS: u32 = 64;
/// A process that was stopped inside of an operation is waited for no longer than this.
const STOPPED: Duration = Duration::from_secs(1);

/// A call has fewer than 2^40 steps: a lane has at most 2^24, once for each tile.
const STEP_BITS: u32 = 40;

/// Groups of more ranks bring no inputs along: each rank would merge those of all.
const MOST_EAGER_RANKS: usize = 32;
/// The bytes of an input that a rank brings along.
const EAGER_BYTES: usize = 8 << 10;

impl Board {
    /// For the threads of this process.
    pub(super) fn new(ranks: usize, failure: Arc<Failure>) -> Self {
        let eager = eager(ranks);
        let units = (0..Arrivals::units(ranks, eager)).map(|_| Unit::default()).collect();
        Self {
            ranks: Slab::owned((0..ranks).map(|_| Slot::default()).collect()),
            arrivals: Arrivals::new(Slab::owned(units), eager),
            words: Words::of_threads(ranks),
            failure,
            patience: Patience::for_threads(ranks),
            watch: None,
            looks: AtomicU32::new(0),
        }
    }

    /// The bytes that a board for `ranks` processes takes.
    pub(super) fn bytes(ranks: usize) -> Option<usize> {
        let (slots, units, words) = parts(ranks)?;
        slots.checked_add(units)?.checked_add(words)
    }

    /// The board at `base`, for processes.
    ///
    /// # Safety
    /// As long as `keep` exists, [`Board::bytes`] bytes at `base` are mapped for reading and writing;
    /// they begin at a page, were 0 at first, and are used as a board for `ranks` ranks only.
    pub(super) unsafe fn at(
        base: NonNull<u8>,
        ranks: usize,
        keep: &(impl Any + Clone + Send + Sync),
        watch: Box<dyn Watch>,
        failure: Arc<Failure>,
    ) -> Self {
        let (slots, units, _) = parts(ranks).expect("the board was made for as many ranks");
        let eager = eager(ranks);
        // SAFETY: the parts follow each other inside of the bytes that the caller vouches for; all of
        // them are valid when they are 0, and their sizes keep what follows aligned.
        unsafe {
            let after = base.add(slots);
            let arrivals = Slab::at(after, Arrivals::units(ranks, eager), keep.clone());
            Self {
                ranks: Slab::at(base, ranks, keep.clone()),
                arrivals: Arrivals::new(arrivals, eager),
                words: Words::Shared(Slab::at(after.add(units), ranks, keep.clone())),
                failure,
                patience: Patience::for_threads(ranks),
                watch: Some(watch),
                looks: AtomicU32::new(0),
            }
        }
    }

    pub(super) fn size(&self) -> usize {
        self.ranks.len()
    }

    /// # Errors
    /// The group has failed.
    #[inline]
    pub(super) fn check(&self) -> Result<()> {
        self.failure.get().map_or(Ok(()), Err)
    }

    /// Marks `rank` as one that may touch the memory of others, unless the group has failed.
    pub(super) fn enter(&self, rank: usize) -> Result<Inside<'_>> {
        self.check()?;
        self.ranks[rank].presence.inside.store(1, Ordering::SeqCst);
        let inside = Inside { board: self, rank };
        self.check().map(|()| inside)
    }

    /// Marks `rank` as one that touches no memory of others any more. After a failure it also waits
    /// until the others do not touch its own: each is at most one operation away from leaving, and
    /// no operation waits. A process that was stopped in the middle of one is not waited for: see
    /// [`Board::others_inside`].
    fn leave(&self, rank: usize) {
        self.ranks[rank].presence.inside.store(0, Ordering::SeqCst);
        if !self.failure.is_raised() {
            return;
        }
        let end = Instant::now() + STOPPED;
        for (other, Slot { presence, .. }) in self.ranks.iter().enumerate() {
            self.wait_until(other, end, || presence.inside.load(Ordering::SeqCst) == 0);
        }
    }

    /// Whether ranks other than `rank` may still touch the memory of others, after it has left.
    pub(super) fn others_inside(&self, rank: usize) -> bool {
        let inside = |slot: &Slot| slot.presence.inside.load(Ordering::SeqCst) != 0;
        self.ranks.iter().enumerate().any(|(other, slot)| other != rank && inside(slot))
    }

    /// Waits until `done`, which `other` brings about without waiting; for a process at most until
    /// `end`, and not if it has died.
    fn wait_until(&self, other: usize, end: Instant, done: impl Fn() -> bool) {
        while !done() {
            let watch = self.watch.as_ref();
            if watch.is_some_and(|w| Instant::now() > end || !w.is_alive(other)) {
                break;
            }
            thread::yield_now();
        }
    }

    /// After a failure, waits until `other` has done what it was doing, as `done` tells.
    pub(super) fn outlast(&self, other: usize, done: impl Fn() -> bool) {
        self.wait_until(other, Instant::now() + STOPPED, done);
    }

    /// The message that `rank` offers.
    pub(super) fn offer(&self, rank: usize) -> &Offer {
        &self.ranks[rank].offer
    }

    /// Marks `rank` as one that has come. If it had come before: whether it left.
    pub(super) fn come(&self, rank: usize) -> Result<(), bool> {
        let state = &self.ranks[rank].presence.state;
        let first = state.compare_exchange(0, HERE, Ordering::AcqRel, Ordering::Acquire);
        first.map(drop).map_err(|state| state == GONE)
    }

    /// Marks `rank` as gone for good.
    pub(super) fn depart(&self, rank: usize) {
        self.ranks[rank].presence.state.store(GONE, Ordering::Release);
    }

    /// Shows the others the memory that `rank` brings to a call.
    pub(super) fn show(&self, rank: usize, call: u64, memory: [*mut u8; 3]) {
        for (slot, data) in self.ranks[rank].memory[call as usize % 2].iter().zip(memory) {
            slot.store(data, Ordering::Relaxed);
        }
    }

    /// The memory that `rank` brought to a call everybody has arrived at.
    pub(super) fn memory(&self, rank: usize, call: u64) -> [*mut u8; 3] {
        let memory = &self.ranks[rank].memory[call as usize % 2];
        [0, 1, 2].map(|i| memory[i].load(Ordering::Relaxed))
    }

    /// Tells everyone that `rank` has done `steps` steps of the call.
    #[inline]
    pub(super) fn publish(&self, rank: usize, call: u64, steps: u64) {
        self.ranks[rank].progress.store(position(call, steps), Ordering::Release);
    }

    /// `rank` waits until `other` has done `steps` steps of the call.
    #[inline]
    pub(super) fn wait_for(
        &self,
        (rank, other): (usize, usize),
        call: u64,
        steps: u64,
        limit: &Limit,
    ) -> Result<()> {
        let progress = &self.ranks[other].progress;
        let wanted = position(call, steps);
        let done = || reached(progress.load(Ordering::Acquire), wanted).then_some(Ok(()));
        let (waits, known) = (&self.ranks[rank].waits, [other as u64 + 1, wanted]);
        let hopeless = || match self.failure.get() {
            Some(error) => Some(Err(error)),
            None if [0, 1].map(|i| waits[i].load(Ordering::Relaxed)) != known => {
                (0..2).for_each(|i| waits[i].store(known[i], Ordering::Relaxed));
                None
            }
            None => self.lost(other).filter(|_| done().is_none()).map(|how| {
                let message = format!("rank {other} of {} {how} in call #{call}", self.size());
                Err(self.failure.raise(Error::aborted(message)))
            }),
        };
        self.patience.wait(other, limit, done, hopeless).unwrap_or_else(|| {
            let what = format!("finish call #{call}");
            Err(self.raise_late(Late { ranks: vec![other], what, waiting: None }))
        })
    }

    /// Fails the group since some ranks are late: those at the ends of the chains of ranks that wait.
    fn raise_late(&self, late: Late) -> Error {
        let n = self.size();
        self.failure.raise(late.root(|rank| self.waits_for(rank), n).error(n))
    }

    /// The rank that `rank` waits for in a call.
    fn waits_for(&self, rank: usize) -> Option<usize> {
        let [other, wanted] = [0, 1].map(|i| self.ranks[rank].waits[i].load(Ordering::Relaxed));
        let other = (other as usize).checked_sub(1).filter(|&other| other < self.size())?;
        let progress = self.ranks[other].progress.load(Ordering::Acquire);
        (!reached(progress, wanted)).then_some(other)
    }
}

/// The bytes of inputs that ranks bring along, if any.
fn eager(ranks: usize) -> Option<usize> {
    (ranks <= MOST_EAGER_RANKS).then_some(EAGER_BYTES)
}

/// The bytes of the parts of a board: slots, arrivals, words.
fn parts(ranks: usize) -> Option<(usize, usize, usize)> {
    let slots = ranks.checked_mul(size_of::<Slot>())?;
    let units = ranks.checked_mul(Arrivals::units(1, eager(ranks)))?;
    Some((slots, units.checked_mul(size_of::<Unit>())?, ranks.checked_mul(size_of::<Record>())?))
}

/// A rank in a call; dropping it leaves the call.
pub(super) struct Inside<'a> {
    board: &'a Board,
    rank: usize,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let message = format!("rank {} panicked in a collective", self.rank);
            self.board.failure.raise(Error::new(ErrorKind::Panic, message));
        }
        self.board.leave(self.rank);
    }
}

fn position(call: u64, steps: u64) -> u64 {
    (call << STEP_BITS).wrapping_add(steps)
}

fn reached(progress: u64, wanted: u64) -> bool {
    progress.wrapping_sub(wanted) as i64 >= 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_orders_calls_before_steps_and_survives_the_wrap() {
        assert!(reached(position(1, 3), position(1, 3)));
        assert!(!reached(position(1, 2), position(1, 3)));
        assert!(reached(position(2, 0), position(1, 9)));
        let last = (1_u64 << (64 - STEP_BITS)) - 1;
        assert!(reached(position(last + 1, 1), position(last, 5)));
        assert!(!reached(position(last, 5), position(last + 1, 1)));
    }
}
