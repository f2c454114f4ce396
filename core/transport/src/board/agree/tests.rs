use super::*;
use crate::Bounds;
use std::sync::Arc;

/// What rank 0 is told that comes to a call with these ranks, in vain.
fn in_vain(board: &Board, come: impl IntoIterator<Item = usize>) -> Error {
    let short = Duration::from_millis(30);
    let (refused, bounds) =
        (Error::not_found("nothing"), Bounds { arrival: short, execution: short });
    let intent = Intent { call: 1, what: Err(&refused), bounds };
    come.into_iter().for_each(|rank| board.arrive(rank, &intent));
    board.agree(0, &intent).unwrap_err()
}

#[test]
fn a_rank_that_came_and_does_not_describe_its_call_is_named() {
    let board = Board::new(2, Arc::default());
    let error = in_vain(&board, 0..2);
    assert_eq!(error.message(), "rank 1 of 2 did not describe call #1 in time");
}

#[test]
fn a_rank_that_has_left_is_named_and_not_the_busy_one_that_was_waited_for_first() {
    let board = Board::new(3, Arc::default());
    board.depart(2);
    let error = in_vain(&board, [0]);
    assert_eq!(error.message(), "rank 2 of 3 left the group before call #1");
}

#[test]
fn the_error_of_a_thread_comes_without_a_wait_for_its_end() {
    let board = Board::new(2, Arc::default());
    let start = Instant::now();
    for _ in 0..200 {
        let error = board.blame(1, "before it sent", Error::timeout("it did not send"));
        assert_eq!(error.message(), "it did not send");
    }
    assert!(start.elapsed() < 100 * ENDING, "{:?}", start.elapsed());
}
