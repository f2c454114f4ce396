//! What the threads of a group share: who has come, with what, and how far each has got.

use super::failure::Failure;
use super::wait::Patience;
use crate::collective::Fingerprint;
use crate::collective::fingerprint::{disagreement, list_ranks};
use crate::{Error, ErrorKind, Result};
use crossbeam_utils::CachePadded;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// What the threads of a group share. One writer for each line of cache.
pub(super) struct Board {
    ranks: Box<[Slot]>,
    pub(super) failure: Arc<Failure>,
    pub(super) patience: Patience,
}

#[derive(Default)]
struct Slot {
    /// `call << STEP_BITS` plus the steps done in that call; wraps around.
    progress: CachePadded<AtomicU64>,
    /// Two, because a rank may begin call `k + 1` while another one still looks at call `k`.
    arrivals: [CachePadded<Arrival>; 2],
    presence: CachePadded<Presence>,
}

struct Arrival {
    call: AtomicU64,
    digest: AtomicU64,
    buffer: AtomicPtr<u8>,
    arena: AtomicPtr<u8>,
    what: Mutex<Option<Result<Fingerprint>>>,
}

impl Default for Arrival {
    fn default() -> Self {
        Self {
            call: AtomicU64::new(0),
            digest: AtomicU64::new(0),
            buffer: AtomicPtr::new(null_mut()),
            arena: AtomicPtr::new(null_mut()),
            what: Mutex::new(None),
        }
    }
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
    pub(super) what: Result<&'a Fingerprint, &'a Error>,
    pub(super) buffer: *mut u8,
    pub(super) arena: *mut u8,
}

/// A lane has at most 2^24 steps.
const STEP_BITS: u32 = 24;

impl Board {
    pub(super) fn new(ranks: usize, failure: Arc<Failure>) -> Self {
        let ranks: Box<[Slot]> = (0..ranks).map(|_| Slot::default()).collect();
        let patience = Patience::for_threads(ranks.len());
        Self { ranks, failure, patience }
    }

    pub(super) fn size(&self) -> usize {
        self.ranks.len()
    }

    /// Marks `rank` as one that may touch the memory of others.
    ///
    /// # Errors
    /// The group has failed; the rank stays outside.
    pub(super) fn enter(&self, rank: usize) -> Result<Inside<'_>> {
        self.ranks[rank].presence.inside.store(true, Ordering::SeqCst);
        let inside = Inside { board: self, rank };
        match self.failure.get() {
            None => Ok(inside),
            Some(error) => Err(error),
        }
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

    pub(super) fn arrive(&self, rank: usize, bring: &Bring<'_>) {
        let arrival = &self.ranks[rank].arrivals[bring.call as usize % 2];
        let what = bring.what.copied().map_err(Clone::clone);
        *arrival.what.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
        arrival.digest.store(bring.digest, Ordering::Relaxed);
        arrival.buffer.store(bring.buffer, Ordering::Relaxed);
        arrival.arena.store(bring.arena, Ordering::Relaxed);
        arrival.call.store(bring.call, Ordering::Release);
    }

    /// Waits until every rank has arrived at the call, and checks that all call the same.
    ///
    /// # Errors
    /// See [`Endpoint::call`](super::Endpoint::call).
    pub(super) fn agree(&self, rank: usize, bring: &Bring<'_>, deadline: Instant) -> Result<()> {
        let mut agreed = bring.what.is_ok();
        for (other, slot) in self.ranks.iter().enumerate() {
            let arrival = &slot.arrivals[bring.call as usize % 2];
            let look = || {
                if arrival.call.load(Ordering::Acquire) == bring.call {
                    return Some(Ok(()));
                }
                self.given_up(other, rank, bring.call).map(Err)
            };
            match self.patience.wait(deadline, look) {
                Some(outcome) => outcome?,
                None => return Err(self.failure.raise(self.absent(rank, bring.call))),
            }
            agreed &= arrival.digest.load(Ordering::Relaxed) == bring.digest;
        }
        if agreed { Ok(()) } else { Err(self.refusal(bring.call)) }
    }

    /// Why `other` will not come.
    fn given_up(&self, other: usize, rank: usize, call: u64) -> Option<Error> {
        if let Some(error) = self.failure.get() {
            return Some(error);
        }
        let slot = &self.ranks[other];
        if !slot.presence.gone.load(Ordering::Acquire) {
            return None;
        }
        // It may have come and gone: then it arrived before it went.
        if slot.arrivals[call as usize % 2].call.load(Ordering::Acquire) == call {
            return None;
        }
        let n = self.size();
        let message = format!("rank {other} of {n} left the group before call #{call}");
        let error = Error::new(ErrorKind::Aborted, message).with("waiting", format!("rank {rank}"));
        Some(self.failure.raise(error))
    }

    fn absent(&self, rank: usize, call: u64) -> Error {
        let arrived = |s: &Slot| s.arrivals[call as usize % 2].call.load(Ordering::Acquire) == call;
        let is_absent = |r: &usize| !arrived(&self.ranks[*r]);
        let absent: Vec<usize> = (0..self.size()).filter(is_absent).collect();
        let (n, who) = (self.size(), list_ranks(&absent));
        let message = format!("{who} of {n} did not come to call #{call} in time");
        Error::new(ErrorKind::Timeout, message)
            .with("waiting", format!("rank {rank}"))
            .help("raise the timeout, or look for what keeps them")
    }

    /// The error that every rank gets for a call that the ranks disagree about, or that one refuses.
    fn refusal(&self, call: u64) -> Error {
        let mut fingerprints = Vec::with_capacity(self.size());
        let mut refused: Vec<(usize, Error)> = Vec::new();
        for (rank, slot) in self.ranks.iter().enumerate() {
            let what = &slot.arrivals[call as usize % 2].what;
            match what.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                Some(Ok(fingerprint)) => fingerprints.push(*fingerprint),
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

    /// The buffer and the arena that `rank` brought to a call everybody has arrived at.
    pub(super) fn memory(&self, rank: usize, call: u64) -> [*mut u8; 2] {
        let arrival = &self.ranks[rank].arrivals[call as usize % 2];
        [arrival.buffer.load(Ordering::Relaxed), arrival.arena.load(Ordering::Relaxed)]
    }

    /// Tells everyone that `rank` has done `steps` steps of the call.
    pub(super) fn publish(&self, rank: usize, call: u64, steps: u32) {
        self.ranks[rank].progress.store(position(call, steps), Ordering::Release);
    }

    /// Waits until `other` has done `steps` steps of the call.
    ///
    /// # Errors
    /// The group fails, or the deadline passes.
    pub(super) fn wait_for(
        &self,
        other: usize,
        call: u64,
        steps: u32,
        deadline: Instant,
    ) -> Result<()> {
        let progress = &self.ranks[other].progress;
        let wanted = position(call, steps);
        let look = || {
            if reached(progress.load(Ordering::Acquire), wanted) {
                return Some(Ok(()));
            }
            self.failure.get().map(Err)
        };
        self.patience.wait(deadline, look).unwrap_or_else(|| {
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

fn position(call: u64, steps: u32) -> u64 {
    (call << STEP_BITS).wrapping_add(u64::from(steps))
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
