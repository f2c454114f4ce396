use super::*;
use crate::Bounds;
use std::sync::Arc;

#[test]
fn a_rank_that_came_and_does_not_describe_its_call_is_named() {
    let board = Board::new(2, Arc::default());
    let short = Duration::from_millis(30);
    let (refused, bounds) =
        (Error::not_found("nothing"), Bounds { arrival: short, execution: short });
    let intent = Intent { call: 1, what: Err(&refused), bounds };
    (0..2).for_each(|rank| board.arrive(rank, &intent));
    let error = board.agree(0, &intent).unwrap_err();
    assert_eq!(error.message(), "rank 1 of 2 did not describe call #1 in time");
}

#[test]
fn a_rank_that_has_left_is_named_and_not_the_busy_one_that_was_waited_for_first() {
    let board = Board::new(3, Arc::default());
    let short = Duration::from_millis(30);
    let (refused, bounds) =
        (Error::not_found("nothing"), Bounds { arrival: short, execution: short });
    let intent = Intent { call: 1, what: Err(&refused), bounds };
    board.arrive(0, &intent);
    board.depart(2);
    let error = board.agree(0, &intent).unwrap_err();
    assert_eq!(error.message(), "rank 2 of 3 left the group before call #1");
}
