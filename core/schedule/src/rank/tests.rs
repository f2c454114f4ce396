use super::*;

#[test]
fn arithmetic_wraps_in_every_group_and_for_every_step() {
    for n in 1..=9_i64 {
        for r in 0..n {
            for step in 0..=3 * n {
                let rank = Rank::new(r as usize, n as usize);
                assert_eq!((rank + step as usize).index() as i64, (r + step).rem_euclid(n));
                assert_eq!((rank - step as usize).index() as i64, (r - step).rem_euclid(n));
            }
        }
    }
}

#[test]
fn steps_as_large_as_memory_do_not_overflow() {
    assert_eq!((Rank::new(2, 3) + usize::MAX).index(), (2 + usize::MAX % 3) % 3);
    assert_eq!((Rank::new(0, 1) - usize::MAX).index(), 0);
}

#[test]
#[should_panic = "rank 5 of a group of 4294967296: a group has at most 4294967295 ranks"]
fn a_group_of_more_ranks_than_can_be_counted_is_refused_with_both_numbers() {
    Rank::new(5, 1 << 32);
}
