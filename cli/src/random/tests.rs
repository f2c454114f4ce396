use super::*;

#[test]
fn numbers_are_the_published_ones_and_stay_in_range() {
    assert_eq!(Random::new(1234567).next(), 6457827717110365317);
    let numbers: Vec<_> = Random::new(3).uniform(10_000, 0.5).collect();
    assert!(numbers.iter().all(|x| (-0.5..0.5).contains(x)));
    assert!((numbers.iter().sum::<f32>() / 10_000.0).abs() < 0.01);
}
