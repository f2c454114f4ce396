//! A message of one rank to another: offered by its sender, taken by its receiver where it lies.

use super::message::{Elements, mismatch};
use ringwood_base::{Error, Result};
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// What a rank offers to another one. A rank sends one message at a time. Valid when it is all 0, and
/// whatever another process writes there.
#[derive(Default)]
#[repr(C)]
pub(super) struct Offer {
    /// The receiver and a [`Phase`].
    state: AtomicU64,
    /// The memory, as others find it.
    data: AtomicPtr<u8>,
    /// What the sender has, and what the receiver of a refused offer asked for.
    offered: Shape,
    asked: Shape,
}

#[derive(Default)]
#[repr(C)]
struct Shape {
    bytes: AtomicU64,
    dtype: AtomicU64,
}

/// How far an offer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Phase {
    /// There is none, or it was taken back.
    None,
    /// The sender waits.
    Open,
    /// The receiver copies.
    Taking,
    /// It has copied.
    Taken,
    /// It asked for something else.
    Refused,
}

impl Shape {
    fn store(&self, elements: Elements) {
        self.bytes.store(elements.bytes as u64, Ordering::Relaxed);
        self.dtype.store(elements.dtype as u64, Ordering::Relaxed);
    }

    /// # Errors
    /// There are no such elements: another process wrote garbage.
    fn load(&self) -> Result<Elements> {
        let (dtype, bytes) = (&self.dtype, &self.bytes);
        Elements::named(dtype.load(Ordering::Relaxed), bytes.load(Ordering::Relaxed))
            .ok_or_else(|| Error::protocol("a message in an arena is malformed"))
    }
}

fn state(to: usize, phase: Phase) -> u64 {
    (to as u64) << 8 | phase as u64
}

impl Offer {
    /// Offers memory to rank `to`; it stays as it is until [`Offer::settled`] or a successful
    /// [`Offer::withdraw`].
    pub(super) fn open(&self, to: usize, data: *mut u8, elements: Elements) {
        self.data.store(data, Ordering::Relaxed);
        self.offered.store(elements);
        self.state.store(state(to, Phase::Open), Ordering::Release);
    }

    /// What became of the offer to rank `to`: `None` while it is open or being taken; an error, which
    /// the receiver gets as well, if it was refused.
    pub(super) fn settled(&self, from: usize, to: usize) -> Option<Result<()>> {
        let now = self.state.load(Ordering::Acquire);
        if now == state(to, Phase::Taken) {
            return Some(Ok(()));
        }
        let differ = || Ok(mismatch((from, self.offered.load()?), (to, self.asked.load()?)));
        (now == state(to, Phase::Refused)).then(|| Err(differ().unwrap_or_else(|error| error)))
    }

    /// Takes an open offer back; whether it still was open.
    pub(super) fn withdraw(&self, to: usize) -> bool {
        self.turn(to, Phase::Open, Phase::None)
    }

    pub(super) fn is_being_taken(&self, to: usize) -> bool {
        self.state.load(Ordering::Acquire) == state(to, Phase::Taking)
    }

    /// Goes from one phase of an offer to rank `to` to another; whether it was in that one.
    pub(super) fn turn(&self, to: usize, before: Phase, after: Phase) -> bool {
        let (before, after) = (state(to, before), state(to, after));
        self.state.compare_exchange(before, after, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Takes what rank `from` offers to rank `to` by `copy`, which is given the place of the data, if
    /// it is what is asked for: `None` if nothing is offered.
    pub(super) fn take(
        &self,
        (from, to): (usize, usize),
        asked: Elements,
        copy: impl FnOnce(*mut u8) -> Result<()>,
    ) -> Option<Result<()>> {
        if !self.turn(to, Phase::Open, Phase::Taking) {
            return None;
        }
        Some(self.offered.load().and_then(|offered| {
            if offered != asked {
                self.asked.store(asked);
                self.turn(to, Phase::Taking, Phase::Refused);
                return Err(mismatch((from, offered), (to, asked)));
            }
            copy(self.data.load(Ordering::Relaxed))?;
            if self.turn(to, Phase::Taking, Phase::Taken) {
                return Ok(());
            }
            // The sender waits for a copy only so long once the group has failed.
            Err(Error::aborted(format!("rank {from} took back what rank {to} was receiving")))
        }))
    }
}

#[cfg(test)]
mod tests;
