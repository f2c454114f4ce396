use super::*;

#[test]
fn a_rank_keeps_its_core_and_others_wait_for_the_first_that_is_free() {
    let mut cores = Cores::new(2, 0.5);
    for (rank, end) in [(0, 1.0), (1, 3.0)] {
        assert_eq!(cores.enter(rank, 0.0), 0.0);
        cores.leave(rank, end);
    }
    assert_eq!(cores.enter(2, 0.0), 1.5, "after rank 0, with a switch");
    cores.leave(2, 2.0);
    assert_eq!(cores.enter(1, 3.0), 3.0, "on its own core");
    cores.leave(1, 4.0);
    assert_eq!(cores.enter(0, 3.0), 3.5, "rank 2 has left a core");
    assert!(!Cores::new(0, 0.5).limited());
    assert_eq!(Cores::new(0, 0.5).enter(7, 2.0), 2.0);
}
