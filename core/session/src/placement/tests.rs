use super::*;

#[test]
fn shares_are_disjoint_and_whole_or_in_turn() {
    let shares = |of: usize, all: &[usize]| -> Vec<Vec<usize>> {
        (0..of).map(|number| Placement::new(number, of).share(all).to_vec()).collect()
    };
    assert_eq!(shares(2, &[1, 3, 5]), [vec![1], vec![3, 5]]);
    assert_eq!(shares(3, &[4, 6]), [vec![4], vec![6], vec![4]]);
    assert!(shares(1, &[])[0].is_empty());
}
