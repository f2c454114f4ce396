//! What the threads of a group share: who has come, with what, and how far each has got.

use super::arrivals::{Arrivals, REFUSED};
use super::failure::Failure;
use super::wait::{Limit, Patience};
use crate::collective::Fingerprint;
use crate::collective::fingerprint::{disagreement, list_ranks};
use crate::{Error, ErrorKind, Result};
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What the threads of a group share. One writer for each line of cache.
pub(super) struct Board {
    ranks: Box<[Slot]>,
    pub(super) arrivals: Arrivals,
    pub(super) failure: Arc<Failure>,
    pub(super) patience: Patience,
}

#[derive(Default)]
struct Slot {
    /// `call << STEP_BITS` plus the steps done in that call; wraps around.
    progress: CachePadded<AtomicU64>,
    memory: [CachePadded<[AtomicPtr<u8>; 3]>; 2],
    words: [Words; 2],
    presence: CachePadded<Presence>,
}

/// What a rank calls, in full: told only when the ranks disagree.
#[derive(Default)]
struct Words {
    call: AtomicU64,
    what: Mutex<Option<Result<Fingerprint>>>,
}

#[derive(Default)]
struct Presence {
    /// The rank may touch the memory of others.
    inside: AtomicBool,
    /// The rank has dropped its communicator.
    gone: AtomicBool,
}

/// What a rank brings to a call.
pub(super) struct Bring<'a> {
    pub(super) call: u64,
    pub(super) digest: u64,
    /// The bytes of a vector or of the largest block.
    pub(super) length: u64,
    pub(super) what: Result<&'a Fingerprint, &'a Error>,
}

/// A call has fewer than 2^40 steps: a lane has at most 2^24, once for each tile.
const STEP_BITS: u32 = 40;

/// Groups of more ranks bring no inputs along: each rank would merge those of all.
const MOST_EAGER_RANKS: usize = 32;
/// The bytes of an input that a rank brings along.
const EAGER_BYTES: usize = 8 << 10;

impl Board {
    pub(super) fn new(ranks: usize, failure: Arc<Failure>) -> Self {
        let eager = (ranks <= MOST_EAGER_RANKS).then_some(EAGER_BYTES);
        Self {
            ranks: (0..ranks).map(|_| Slot::default()).collect(),
            arrivals: Arrivals::new(ranks, eager),
            failure,
            patience: Patience::for_threads(ranks),
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

    /// Marks `rank` as one that may touch the memory of others.
    ///
    /// # Errors
    /// The group has failed; the rank stays outside.
    pub(super) fn enter(&self, rank: usize) -> Result<Inside<'_>> {
        self.ranks[rank].presence.inside.store(true, Ordering::SeqCst);
        let inside = Inside { board: self, rank };
        self.check().map(|()| inside)
    }

    /// Marks `rank` as one that touches no memory of others any more. After a failure it also waits
    /// until the others do not touch its own: each is at most one operation away from leaving, and
    /// no operation waits.
    fn leave(&self, rank: usize) {
        self.ranks[rank].presence.inside.store(false, Ordering::SeqCst);
        if !self.failure.is_raised() {
            return;
        }
        for other in &self.ranks {
            while other.presence.inside.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        }
    }

    /// Marks `rank` as gone for good.
    pub(super) fn depart(&self, rank: usize) {
        self.ranks[rank].presence.gone.store(true, Ordering::Release);
    }

    /// Tells everyone that `rank` has come to a call. What it shows them is in place.
    #[inline]
    pub(super) fn arrive(&self, rank: usize, bring: &Bring<'_>) {
        let arrival = self.arrivals.at(rank, bring.call);
        let length = if bring.what.is_ok() { bring.length } else { REFUSED };
        arrival.digest.store(bring.digest, Ordering::Relaxed);
        arrival.length.store(length, Ordering::Relaxed);
        arrival.call.store(bring.call, Ordering::Release);
    }

    /// Waits until every rank has arrived at the call, and checks that all call the same.
    ///
    /// # Errors
    /// See [`Endpoint::call`](super::Endpoint::call).
    #[inline]
    pub(super) fn agree(&self, rank: usize, bring: &Bring<'_>, limit: &Limit) -> Result<()> {
        let (n, call) = (self.size(), bring.call);
        let mut agreed = bring.what.is_ok();
        for other in (rank + 1..n).chain(0..rank) {
            let arrival = self.arrivals.at(other, call);
            let arrived = || arrival.call.load(Ordering::Acquire) == call;
            self.meet(other, rank, call, limit, arrived)?;
            agreed &= arrival.digest.load(Ordering::Relaxed) == bring.digest
                && arrival.length.load(Ordering::Relaxed) == bring.length;
        }
        if agreed { Ok(()) } else { Err(self.explain(rank, bring, limit)) }
    }

    /// Waits until `other` has come to the call, as `here` tells.
    #[inline]
    fn meet(
        &self,
        other: usize,
        rank: usize,
        call: u64,
        limit: &Limit,
        here: impl Fn() -> bool,
    ) -> Result<()> {
        let done = || here().then_some(Ok(()));
        let hopeless = || self.given_up(other, rank, call, &here).map(Err);
        self.patience
            .wait(limit, done, hopeless)
            .unwrap_or_else(|| Err(self.failure.raise(self.absent(rank, call))))
    }

    /// Why `other` will not come.
    fn given_up(
        &self,
        other: usize,
        rank: usize,
        call: u64,
        here: impl Fn() -> bool,
    ) -> Option<Error> {
        if let Some(error) = self.failure.get() {
            return Some(error);
        }
        // It may have come and gone: then it arrived before it went.
        if !self.ranks[other].presence.gone.load(Ordering::Acquire) || here() {
            return None;
        }
        let n = self.size();
        let message = format!("rank {other} of {n} left the group before call #{call}");
        let error = Error::new(ErrorKind::Aborted, message).with("waiting", format!("rank {rank}"));
        Some(self.failure.raise(error))
    }

    fn absent(&self, rank: usize, call: u64) -> Error {
        let is_absent = |r: &usize| self.arrivals.at(*r, call).call.load(Ordering::Acquire) != call;
        let absent: Vec<usize> = (0..self.size()).filter(is_absent).collect();
        let (n, who) = (self.size(), list_ranks(&absent));
        let message = format!("{who} of {n} did not come to call #{call} in time");
        Error::new(ErrorKind::Timeout, message)
            .with("waiting", format!("rank {rank}"))
            .help("raise the timeout, or look for what keeps them")
    }

    /// Tells the others what this rank calls and hears what they call, since not all call the same,
    /// which each of them has seen too. The error that says how they differ.
    #[cold]
    fn explain(&self, rank: usize, bring: &Bring<'_>, limit: &Limit) -> Error {
        let call = bring.call;
        let words = |rank: usize| &self.ranks[rank].words[call as usize % 2];
        let what = bring.what.cloned().map_err(Clone::clone);
        *words(rank).what.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
        words(rank).call.store(call, Ordering::Release);
        for other in 0..self.size() {
            let told = || words(other).call.load(Ordering::Acquire) == call;
            if let Err(error) = self.meet(other, rank, call, limit, told) {
                return error;
            }
        }
        self.refusal(call)
    }

    /// The error that every rank gets for a call that the ranks disagree about, or that one refuses.
    fn refusal(&self, call: u64) -> Error {
        let mut fingerprints = Vec::with_capacity(self.size());
        let mut refused: Vec<(usize, Error)> = Vec::new();
        for (rank, slot) in self.ranks.iter().enumerate() {
            let what = &slot.words[call as usize % 2].what;
            match what.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                Some(Ok(fingerprint)) => fingerprints.push(fingerprint.clone()),
                Some(Err(error)) => refused.push((rank, error.clone())),
                None => {}
            }
        }
        if let Some((_, first)) = refused.first() {
            let same = refused.iter().all(|(_, e)| e.to_string() == first.to_string());
            if same && refused.len() == self.size() {
                return first.clone();
            }
            let ranks: Vec<usize> = refused.iter().map(|(rank, _)| *rank).collect();
            return first.clone().with("refused by", list_ranks(&ranks));
        }
        disagreement(call, &fingerprints).unwrap_or_else(|| {
            Error::new(ErrorKind::Mismatch, format!("ranks disagree on call #{call}"))
        })
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

    /// Waits until `other` has done `steps` steps of the call.
    ///
    /// # Errors
    /// The group fails, or the limit is reached.
    #[inline]
    pub(super) fn wait_for(
        &self,
        other: usize,
        call: u64,
        steps: u64,
        limit: &Limit,
    ) -> Result<()> {
        let progress = &self.ranks[other].progress;
        let wanted = position(call, steps);
        let done = || reached(progress.load(Ordering::Acquire), wanted).then_some(Ok(()));
        let hopeless = || self.failure.get().map(Err);
        self.patience.wait(limit, done, hopeless).unwrap_or_else(|| {
            let n = self.size();
            let message = format!("rank {other} of {n} did not finish call #{call} in time");
            Err(self.failure.raise(Error::new(ErrorKind::Timeout, message)))
        })
    }
}

/// A rank in a call; dropping it leaves the call.
pub(super) struct Inside<'a> {
    board: &'a Board,
    rank: usize,
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
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
