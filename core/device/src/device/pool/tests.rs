use super::*;
use ringwood_base::ErrorKind;

#[test]
fn a_pool_may_be_filled_exactly_and_the_next_byte_opens_another() {
    let plan = plan_pools(&[64, 64, 1], 64, 128).unwrap();
    assert_eq!(plan.pools, [128, 1]);
    assert_eq!(plan.segments[1], Segment { pool: 0, offset: 64 });
    assert_eq!(plan.segments[2], Segment { pool: 1, offset: 0 });
}

#[test]
fn padding_counts_but_not_at_the_end_of_a_pool() {
    let plan = plan_pools(&[1, 64], 64, 128).unwrap();
    assert_eq!(plan.pools, [128]);
    assert_eq!(plan_pools(&[1, 65], 64, 128).unwrap().pools, [1, 65]);
}

#[test]
fn nothing_needs_no_pool_and_empty_items_need_no_room() {
    assert_eq!(plan_pools(&[], 64, 128).unwrap(), PoolPlan::default());
    let plan = plan_pools(&[0, 0, 4], 64, 4).unwrap();
    assert_eq!(plan.pools, [4]);
}

#[test]
fn an_item_larger_than_any_pool_is_refused_with_both_sizes() {
    let error = plan_pools(&[1, 129], 64, 128).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(error.message().contains("item 1 of 129 bytes"), "{error}");
    assert!(plan_pools(&[usize::MAX, 2], 64, usize::MAX).is_ok());
}
