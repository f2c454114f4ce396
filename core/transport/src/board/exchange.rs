//! Messages of one rank to another, which takes them where they lie.

use super::Board;
use crate::message::{Elements, Waiting};
use crate::offer::Phase;
use crate::wait::Limit;
use ringwood_base::{ErrorKind, Result};
use std::cell::RefCell;

/// Offers what others find at `data` for rank `from` to rank `to`, and waits until it has taken it.
pub(crate) fn send(
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
pub(crate) fn recv(
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
