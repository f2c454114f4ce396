use super::*;

#[test]
fn who_is_late_is_what_the_chain_of_those_who_wait_ends_at() {
    let late = |ranks: &[usize]| Late {
        ranks: ranks.to_vec(),
        what: "finish in call #3".into(),
        waiting: None,
    };
    // 0 waits for 1, 1 for 2, 4 for 1; 2 and 3 wait for nobody.
    let waits_for = |rank: usize| [Some(1), Some(2), None, None, Some(1)][rank];
    let root = |ranks: &[usize]| late(ranks).root(waits_for, 5).ranks;
    assert_eq!([root(&[1]), root(&[2]), root(&[0, 4])], [[2]; 3]);
    assert_eq!(root(&[1, 3]), [2, 3]);
    assert_eq!(late(&[0]).root(|rank| Some(1 - rank), 2).ranks, [0], "a circle");
    let text = "ranks 2, 3 of 5 did not finish in call #3 in time";
    assert_eq!(late(&[2, 3]).error(5).message(), text);
}
