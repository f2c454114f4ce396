//! Ranks that leave an executor.

use super::*;

#[test]
fn a_rank_that_leaves_lets_its_calls_end_and_fails_what_lacks_it() {
    let executor = Executor::new();
    let mut members = adopted(&executor, 1, 2);
    let both = submit(&members[0], 1, 4);
    let other = submit(&members[1], 1, 4);
    drop(members.remove(1));
    assert_eq!((good(both), good(other)), (vec![3.0; 4], vec![3.0; 4]));
    let alone = error(submit(&members[0], 2, 4));
    assert_eq!(alone.message(), "rank 1 of 2 left the group before instance 2 of group 1");
}

#[test]
fn the_ranks_leave_the_group_when_their_handles_are_dropped() {
    let registry = Arc::new(Registry::default());
    for _ in 0..20 {
        let executor = Executor::new();
        let ranks = Group::builder(2).registry(Arc::clone(&registry)).open().unwrap();
        let members: Vec<_> = ranks.into_iter().map(|c| executor.adopt(1, c).unwrap()).collect();
        for member in &members {
            drop(member.submit(1, (), |_, ()| Ok(())));
        }
    }
    // Every communicator holds the registry.
    let start = Instant::now();
    while Arc::strong_count(&registry) > 1 {
        assert!(start.elapsed() < SOON);
        std::thread::yield_now();
    }
}

#[test]
fn the_number_of_a_group_and_its_keys_are_free_again_when_its_ranks_have_left() {
    let executor = Executor::new();
    for _ in 0..5 {
        let start = Instant::now();
        // The threads of the ranks of the last group may not have ended.
        let one = loop {
            let one = group(1).open().unwrap().remove(0);
            match executor.adopt(1, one) {
                Ok(one) => break one,
                Err(error) if start.elapsed() > SOON => panic!("{error}"),
                Err(_) => std::thread::yield_now(),
            }
        };
        assert_eq!(good(submit(&one, 1, 4)), [1.0; 4]);
    }
}
