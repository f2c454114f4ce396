//! A message of one rank to another: offered by its sender, taken by its receiver where it lies.

use super::board::Board;
use super::wait::Limit;
use crate::{DType, Error, ErrorKind, Result};
use crossbeam_utils::CachePadded;
use std::cell::RefCell;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// What a rank offers to another one. A rank sends one message at a time.
#[derive(Default)]
pub(super) struct Offer {
    /// The receiver and a [`Phase`].
    state: AtomicU64,
    data: AtomicPtr<u8>,
    /// What the sender has, and what the receiver of a refused offer asked for.
    offered: Shape,
    asked: Shape,
}

#[derive(Default)]
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

/// The elements of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Elements {
    dtype: DType,
    bytes: usize,
}

impl Shape {
    fn store(&self, elements: Elements) {
        self.bytes.store(elements.bytes as u64, Ordering::Relaxed);
        self.dtype.store(elements.dtype as u64, Ordering::Relaxed);
    }

    fn load(&self) -> Elements {
        let dtype = DType::ALL[self.dtype.load(Ordering::Relaxed) as usize];
        Elements { dtype, bytes: self.bytes.load(Ordering::Relaxed) as usize }
    }
}

fn state(to: usize, phase: Phase) -> u64 {
    (to as u64) << 8 | phase as u64
}

impl Offer {
    /// Offers memory to rank `to`; it stays as it is until [`Offer::settled`] or a successful
    /// [`Offer::withdraw`].
    fn open(&self, to: usize, data: &[u8], dtype: DType) {
        self.data.store(data.as_ptr().cast_mut(), Ordering::Relaxed);
        self.offered.store(Elements { dtype, bytes: data.len() });
        self.state.store(state(to, Phase::Open), Ordering::Release);
    }

    /// What became of the offer to rank `to`: `None` while it is open or being taken; an error, which
    /// the receiver gets as well, if it was refused.
    fn settled(&self, from: usize, to: usize) -> Option<Result<()>> {
        let now = self.state.load(Ordering::Acquire);
        if now == state(to, Phase::Taken) {
            return Some(Ok(()));
        }
        (now == state(to, Phase::Refused))
            .then(|| Err(mismatch((from, self.offered.load()), (to, self.asked.load()))))
    }

    /// Takes an open offer back; whether it still was open.
    fn withdraw(&self, to: usize) -> bool {
        let (open, none) = (state(to, Phase::Open), state(to, Phase::None));
        self.state.compare_exchange(open, none, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Takes what rank `from` offers to rank `to`, if it is that: `None` if nothing is offered.
    fn take(&self, from: usize, to: usize, target: &mut [u8], dtype: DType) -> Option<Result<()>> {
        let (open, taking) = (state(to, Phase::Open), state(to, Phase::Taking));
        let claim = self.state.compare_exchange(open, taking, Ordering::AcqRel, Ordering::Relaxed);
        claim.ok()?;
        let (offered, asked) = (self.offered.load(), Elements { dtype, bytes: target.len() });
        if offered != asked {
            self.asked.store(asked);
            self.state.store(state(to, Phase::Refused), Ordering::Release);
            return Some(Err(mismatch((from, offered), (to, asked))));
        }
        let source = self.data.load(Ordering::Relaxed);
        // SAFETY: the sender keeps its memory as it is until the offer is settled or withdrawn, and
        // an offer that is being taken cannot be withdrawn; the lengths are equal.
        unsafe { std::ptr::copy_nonoverlapping(source, target.as_mut_ptr(), target.len()) }
        self.state.store(state(to, Phase::Taken), Ordering::Release);
        Some(Ok(()))
    }
}

/// The offers of the threads of a group.
pub(super) struct Offers(Box<[CachePadded<Offer>]>);

impl Offers {
    pub(super) fn new(ranks: usize) -> Self {
        Self((0..ranks).map(|_| CachePadded::default()).collect())
    }

    /// Offers `data` of rank `from` to rank `to`, and waits until it has taken it.
    ///
    /// # Errors
    /// See [`Endpoint::send`](super::Endpoint::send).
    pub(super) fn send(
        &self,
        board: &Board,
        (from, to): (usize, usize),
        data: &[u8],
        dtype: DType,
        limit: &Limit,
    ) -> Result<()> {
        board.check()?;
        let offer = &self.0[from];
        offer.open(to, data, dtype);
        let here = || offer.settled(from, to).is_some();
        let when = format_args!("before it received from rank {from}");
        let hopeless = || lost(board, to, here, when);
        let waited = board.patience.wait(limit, || offer.settled(from, to), hopeless);
        let outcome = waited.unwrap_or_else(|| Err(missing(board, to, "receive from", from)));
        // After a failure the receiver may still be copying, which does not wait.
        if outcome.is_err() && offer.settled(from, to).is_none() && !offer.withdraw(to) {
            while offer.settled(from, to).is_none() {
                std::thread::yield_now();
            }
        }
        outcome
    }

    /// Waits for an offer of rank `from` to rank `to`, and takes it.
    ///
    /// # Errors
    /// See [`Endpoint::recv`](super::Endpoint::recv).
    pub(super) fn recv(
        &self,
        board: &Board,
        (from, to): (usize, usize),
        data: &mut [u8],
        dtype: DType,
        limit: &Limit,
    ) -> Result<()> {
        board.check()?;
        let (offer, data) = (&self.0[from], RefCell::new(data));
        let take = || offer.take(from, to, &mut data.borrow_mut(), dtype);
        let when = format_args!("before it sent to rank {to}");
        let hopeless = || lost(board, from, || false, when);
        let waited = board.patience.wait(limit, take, hopeless);
        waited.unwrap_or_else(|| Err(missing(board, from, "send to", to)))
    }
}

/// Why `other` will not come, unless it came, as `here` tells, before it went.
fn lost(
    board: &Board,
    other: usize,
    here: impl Fn() -> bool,
    when: std::fmt::Arguments<'_>,
) -> Option<Result<()>> {
    let gone = |how| {
        let message = format!("rank {other} of {} {how} {when}", board.size());
        board.failure.raise(Error::new(ErrorKind::Aborted, message))
    };
    let left = || board.lost(other).filter(|_| !here()).map(gone);
    board.failure.get().or_else(left).map(Err)
}

fn missing(board: &Board, other: usize, what: &str, rank: usize) -> Error {
    let message = format!("rank {other} of {} did not {what} rank {rank} in time", board.size());
    board.failure.raise(Error::new(ErrorKind::Timeout, message))
}

fn mismatch((from, offered): (usize, Elements), (to, asked): (usize, Elements)) -> Error {
    let show = |e: Elements| format!("{} elements of {}", e.bytes / e.dtype.size(), e.dtype);
    let (offered, asked) = (show(offered), show(asked));
    let message = format!("rank {from} sends {offered}, rank {to} receives {asked}");
    Error::new(ErrorKind::Mismatch, message)
        .help("no data moved and the group is still usable; make both ranks name the same")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_is_taken_once_by_its_receiver_or_withdrawn() {
        let (offer, data, mut target) = (Offer::default(), [1, 2, 3], [0; 3]);
        offer.open(2, &data, DType::U8);
        assert!(offer.take(0, 1, &mut target, DType::U8).is_none(), "for another rank");
        assert!(offer.settled(0, 2).is_none());
        assert!(offer.take(0, 2, &mut target, DType::U8).unwrap().is_ok());
        assert_eq!((target, offer.withdraw(2)), (data, false));
        assert!(offer.settled(0, 2).unwrap().is_ok());
        assert!(offer.take(0, 2, &mut target, DType::U8).is_none(), "taken");
        offer.open(1, &data, DType::U8);
        assert!(offer.withdraw(1) && offer.take(0, 1, &mut target, DType::U8).is_none());
    }

    #[test]
    fn a_refused_offer_tells_both_sides_the_same() {
        let (offer, data) = (Offer::default(), [1_u8; 8]);
        offer.open(1, &data, DType::F32);
        let error = offer.take(0, 1, &mut [0; 8], DType::F64).unwrap().unwrap_err();
        let text = "rank 0 sends 2 elements of f32, rank 1 receives 1 elements of f64";
        assert_eq!(error.message(), text);
        assert_eq!(offer.settled(0, 1).unwrap().unwrap_err().to_string(), error.to_string());
    }
}
