//! Coming to a call, and agreeing on it.

use super::{Board, GONE, HERE, LOOKS};
use crate::agreement::refusal;
use crate::wait::Limit;
use crate::{Intent, Late};
use ringwood_base::sync::atomic::Ordering;
use ringwood_base::sync::thread;
use ringwood_base::{Error, Result};
use std::fmt;
use std::time::{Duration, Instant};

/// A process that ends has closed everything within this time.
const ENDING: Duration = Duration::from_millis(50);

impl Board {
    /// Tells everyone that `rank` has come to a call. What it shows them is in place.
    #[inline]
    pub(crate) fn arrive(&self, rank: usize, intent: &Intent<'_>) {
        let arrival = self.arrivals.at(rank, intent.call);
        arrival.fingerprint.store(told(intent), Ordering::Relaxed);
        arrival.call.store(intent.call, Ordering::Release);
    }

    /// Waits until every rank has arrived at the call, and checks that all call the same.
    #[inline]
    pub(crate) fn agree(&self, rank: usize, intent: &Intent<'_>) -> Result<()> {
        let (n, call) = (self.size(), intent.call);
        let limit = &Limit::new(intent.bounds.arrival);
        let fingerprint = told(intent);
        let mut agreed = intent.what.is_ok();
        for other in (rank + 1..n).chain(0..rank) {
            let arrived =
                |of: usize| self.arrivals.at(of, call).call.load(Ordering::Acquire) == call;
            self.meet((rank, other), ("come to", call), limit, arrived)?;
            let theirs = &self.arrivals.at(other, call).fingerprint;
            agreed &= theirs.load(Ordering::Relaxed) == fingerprint;
        }
        if !agreed {
            return Err(self.explain(rank, intent));
        }
        Ok(())
    }

    /// `rank` waits until `other` has done its part of coming to a call, as `here` tells of each rank;
    /// `what` names that part in messages.
    #[inline]
    fn meet(
        &self,
        (rank, other): (usize, usize),
        (what, call): (&str, u64),
        limit: &Limit,
        here: impl Fn(usize) -> bool,
    ) -> Result<()> {
        let done = || here(other).then_some(Ok(()));
        let given_up = |other, how| self.given_up((rank, other), how, call);
        let hopeless = || match self.failure.get() {
            Some(error) => Some(Err(error)),
            // It may have come and gone: then it arrived before it went.
            None => self.lost(other).filter(|_| !here(other)).map(|how| Err(given_up(other, how))),
        };
        let late = || {
            if here(other) {
                return Ok(());
            }
            // Another one may have gone meanwhile, which this rank has not waited for yet.
            let gone = |of: usize| Some((of, self.went(of, true).filter(|_| !here(of))?));
            let gone = (0..self.size()).find_map(gone);
            let absent = || {
                let ranks = (0..self.size()).filter(|&of| of == other || !here(of)).collect();
                let what = format!("{what} call #{call}");
                self.raise_late(Late { ranks, what, waiting: Some(rank) })
            };
            Err(gone.map_or_else(absent, |(of, how)| given_up(of, how)))
        };
        self.patience.wait(other, limit, done, hopeless).unwrap_or_else(late)
    }

    /// Why `other` will not come, for whom `rank` waits.
    fn given_up(&self, (rank, other): (usize, usize), how: &str, call: u64) -> Error {
        let message = format!("rank {other} of {} {how} before call #{call}", self.size());
        let error = Error::aborted(message).with("waiting", format!("rank {rank}"));
        self.failure.raise(error)
    }

    /// How `rank` went, if it did.
    pub(crate) fn lost(&self, rank: usize) -> Option<&'static str> {
        let looks = || self.looks.fetch_add(1, Ordering::Relaxed);
        self.went(rank, self.watch.is_some() && looks().is_multiple_of(LOOKS))
    }

    /// How `rank` went, if it did; whether its process lives is a question for the system.
    fn went(&self, rank: usize, asks: bool) -> Option<&'static str> {
        let state = &self.ranks[rank].presence.state;
        let gone = || (state.load(Ordering::Acquire) == GONE).then_some("left the group");
        // A rank that leaves says so first.
        let dead = asks && self.is_dead(rank);
        gone().or_else(|| dead.then_some("died"))
    }

    /// Whether a rank that came is a process that has ended.
    fn is_dead(&self, rank: usize) -> bool {
        let here = || self.ranks[rank].presence.state.load(Ordering::Acquire) == HERE;
        self.watch.as_ref().is_some_and(|watch| here() && !watch.is_alive(rank))
    }

    /// Why the memory of a rank cannot be reached: `error`, unless the rank has died.
    #[cold]
    pub(crate) fn blame(&self, rank: usize, when: impl fmt::Display, error: Error) -> Error {
        // The files of a process that ends are gone shortly before its lock.
        let end = Instant::now() + ENDING;
        while !self.is_dead(rank) {
            // Nothing tells of a thread that it has died, and a failure that sticks is what everybody gets.
            if self.watch.is_none() || self.failure.is_raised() || Instant::now() > end {
                return error;
            }
            thread::yield_now();
        }
        Error::aborted(format!("rank {rank} of {} died {when}", self.size()))
    }

    /// Tells the others what this rank calls and hears what they call, since not all call the same,
    /// which each of them has seen too. The error that says how they differ. Those who came last have
    /// as much time for it as they had to come.
    #[cold]
    fn explain(&self, rank: usize, intent: &Intent<'_>) -> Error {
        let (call, limit) = (intent.call, &Limit::new(intent.bounds.arrival));
        self.words.tell(rank, intent.statement());
        self.ranks[rank].told.store(call, Ordering::Release);
        for other in 0..self.size() {
            let told = |of: usize| self.ranks[of].told.load(Ordering::Acquire) == call;
            if let Err(error) = self.meet((rank, other), ("describe", call), limit, told) {
                return error;
            }
        }
        let statements: Vec<_> = (0..self.size()).map(|rank| self.words.of(rank)).collect();
        refusal(call, &statements)
    }
}

/// What an arrival tells of a call.
fn told(intent: &Intent<'_>) -> u64 {
    intent.what.map_or(0, |ready| ready.fingerprint)
}

#[cfg(test)]
mod tests;
