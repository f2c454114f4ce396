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
    let waited = board.patience.wait(limit, || offer.settled(from, to), hopeless);
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
    let waited = board.patience.wait(limit, take, hopeless);
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
mod tests {
    use super::*;
    use ringwood_base::DType;

    fn open(offer: &Offer, to: usize, data: &[u8], dtype: DType) {
        let elements = Elements { dtype, bytes: data.len() };
        offer.open(to, data.as_ptr().cast_mut(), elements);
    }

    /// The bytes that rank `to` takes.
    fn take(offer: &Offer, to: usize, bytes: usize, dtype: DType) -> Option<Result<Vec<u8>>> {
        let mut target = vec![0; bytes];
        let copy = |source: *mut u8| {
            // SAFETY: the tests offer memory of their own, whose length was compared.
            unsafe { target.as_mut_ptr().copy_from_nonoverlapping(source, bytes) };
            Ok(())
        };
        let taken = offer.take((0, to), Elements { dtype, bytes }, copy)?;
        Some(taken.map(|()| target))
    }

    #[test]
    fn an_offer_is_taken_once_by_its_receiver_or_withdrawn() {
        let (offer, data) = (Offer::default(), [1, 2, 3]);
        open(&offer, 2, &data, DType::U8);
        assert!(take(&offer, 1, 3, DType::U8).is_none(), "for another rank");
        assert!(offer.settled(0, 2).is_none());
        assert_eq!(take(&offer, 2, 3, DType::U8).unwrap().unwrap(), data);
        assert!(!offer.withdraw(2) && !offer.is_being_taken(2));
        assert!(offer.settled(0, 2).unwrap().is_ok());
        assert!(take(&offer, 2, 3, DType::U8).is_none(), "taken");
        open(&offer, 1, &data, DType::U8);
        assert!(offer.withdraw(1) && take(&offer, 1, 3, DType::U8).is_none());
    }

    #[test]
    fn a_refused_offer_tells_both_sides_the_same() {
        let (offer, data) = (Offer::default(), [1_u8; 8]);
        open(&offer, 1, &data, DType::F32);
        let error = take(&offer, 1, 8, DType::F64).unwrap().unwrap_err();
        let text = "rank 0 sends 2 elements of f32, rank 1 receives 1 elements of f64";
        assert_eq!(error.message(), text);
        assert_eq!(offer.settled(0, 1).unwrap().unwrap_err().to_string(), error.to_string());
    }

    #[test]
    fn garbage_in_an_offer_is_an_error_and_one_taken_back_is_no_success() {
        let (offer, data) = (Offer::default(), [1_u8; 8]);
        open(&offer, 1, &data, DType::F32);
        offer.offered.dtype.store(u64::MAX, Ordering::Relaxed);
        let error = take(&offer, 1, 8, DType::F32).unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol);
        open(&offer, 1, &data, DType::U8);
        let asked = Elements { dtype: DType::U8, bytes: 8 };
        let taken_back = |_| {
            assert!(offer.is_being_taken(1));
            offer.turn(1, Phase::Taking, Phase::None);
            Ok(())
        };
        let error = offer.take((0, 1), asked, taken_back).unwrap().unwrap_err();
        assert_eq!(error.message(), "rank 0 took back what rank 1 was receiving");
    }
}
