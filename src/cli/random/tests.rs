use super::*;

#[test]
fn numbers_are_the_published_ones_and_stay_in_range() {
    assert_eq!(Random::new(1234567).next(), 6457827717110365317);
    let numbers: Vec<_> = Random::new(3).uniform(10_000, 0.5).collect();
    assert!(numbers.iter().all(|x| (-0.5..0.5).contains(x)));
    assert!((numbers.iter().sum::<f32>() / 10_000.0).abs() < 0.01);
}

#[test]
fn a_shuffle_is_a_permutation() {
    let mut order: Vec<usize> = (0..100).collect();
    Random::new(5).shuffle(&mut order);
    assert_ne!(order, (0..100).collect::<Vec<_>>());
    order.sort_unstable();
    assert_eq!(order, (0..100).collect::<Vec<_>>());
}
