//! A message of one rank to another: offered by its sender, taken by its receiver where it lies.

use super::board::Board;
use super::message::{Elements, Waiting, mismatch};
use super::wait::Limit;
use ringwood_base::{Error, ErrorKind, Result};
use std::cell::RefCell;
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
enum Phase {
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
            .ok_or_else(|| Error::new(ErrorKind::Protocol, "a message in an arena is malformed"))
    }
}

fn state(to: usize, phase: Phase) -> u64 {
    (to as u64) << 8 | phase as u64
}

impl Offer {
    /// Offers memory to rank `to`; it stays as it is until [`Offer::settled`] or a successful
    /// [`Offer::withdraw`].
    fn open(&self, to: usize, data: *mut u8, elements: Elements) {
        self.data.store(data, Ordering::Relaxed);
        self.offered.store(elements);
        self.state.store(state(to, Phase::Open), Ordering::Release);
    }

    /// What became of the offer to rank `to`: `None` while it is open or being taken; an error, which
    /// the receiver gets as well, if it was refused.
    fn settled(&self, from: usize, to: usize) -> Option<Result<()>> {
        let now = self.state.load(Ordering::Acquire);
        if now == state(to, Phase::Taken) {
            return Some(Ok(()));
        }
        let differ = || Ok(mismatch((from, self.offered.load()?), (to, self.asked.load()?)));
        (now == state(to, Phase::Refused)).then(|| Err(differ().unwrap_or_else(|error| error)))
    }

    /// Takes an open offer back; whether it still was open.
    fn withdraw(&self, to: usize) -> bool {
        self.turn(to, Phase::Open, Phase::None)
    }

    fn is_being_taken(&self, to: usize) -> bool {
        self.state.load(Ordering::Acquire) == state(to, Phase::Taking)
    }

    /// Goes from one phase of an offer to rank `to` to another; whether it was in that one.
    fn turn(&self, to: usize, before: Phase, after: Phase) -> bool {
        let (before, after) = (state(to, before), state(to, after));
        self.state.compare_exchange(before, after, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Takes what rank `from` offers to rank `to` by `copy`, which is given the place of the data, if
    /// it is what is asked for: `None` if nothing is offered.
    fn take(
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
            let message = format!("rank {from} took back what rank {to} was receiving");
            Err(Error::new(ErrorKind::Aborted, message))
        }))
    }
}

/// Offers what others find at `data` for rank `from` to rank `to`, and waits until it has taken it.
///
/// # Errors
/// See [`Endpoint::send`](super::Endpoint::send).
pub(super) fn send(
    board: &Board,
    (from, to): (usize, usize),
    data: *mut u8,
    elements: Elements,
    limit: &Limit,
) -> Result<()> {
    let (offer, waiting) = (board.offer(from), Waiting::Sender(from));
    offer.open(to, data, elements);
    let hopeless = || lost(board, to, waiting, || offer.settled(from, to).is_some());
    let waited = board.patience.wait(to, limit, || offer.settled(from, to), hopeless);
    let missed = || Err(board.failure.raise(waiting.missed(to, board.size())));
    let outcome = waited.unwrap_or_else(missed);
    // After a failure the receiver may still be copying, which does not wait.
    if outcome.is_err() && !offer.withdraw(to) && offer.is_being_taken(to) {
        board.outlast(to, || !offer.is_being_taken(to));
        offer.turn(to, Phase::Taking, Phase::None);
    }
    outcome
}

/// Waits for an offer of rank `from` to rank `to`, and takes it by `copy`, which is given the place of
/// the data.
///
/// # Errors
/// See [`Endpoint::recv`](super::Endpoint::recv).
pub(super) fn recv(
    board: &Board,
    (from, to): (usize, usize),
    asked: Elements,
    copy: impl FnMut(*mut u8) -> Result<()>,
    limit: &Limit,
) -> Result<()> {
    let (offer, waiting) = (board.offer(from), Waiting::Receiver(to));
    let copy = RefCell::new(copy);
    let take = || offer.take((from, to), asked, |data| copy.borrow_mut()(data));
    let hopeless = || lost(board, from, waiting, || false);
    let waited = board.patience.wait(from, limit, take, hopeless);
    let outcome = waited.unwrap_or_else(|| Err(waiting.missed(from, board.size())));
    outcome.map_err(|error| match error.kind() {
        ErrorKind::Mismatch => error,
        // The sender waits until it knows.
        _ => {
            let error = board.failure.raise(board.blame(from, waiting, error));
            offer.turn(to, Phase::Taking, Phase::None);
            error
        }
    })
}

/// Why `other` will not come, unless it came, as `here` tells, before it went.
fn lost(
    board: &Board,
    other: usize,
    waiting: Waiting,
    here: impl Fn() -> bool,
) -> Option<Result<()>> {
    let gone = |how| board.failure.raise(waiting.lost(other, board.size(), how));
    let left = || board.lost(other).filter(|_| !here()).map(gone);
    board.failure.get().or_else(left).map(Err)
}

#[cfg(test)]
mod tests;
