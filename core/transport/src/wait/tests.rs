use super::*;

#[test]
fn a_wait_ends_with_the_value_or_without_hope_or_at_the_limit() {
    let looks = Cell::new(0);
    let after = |n: u32| {
        looks.set(looks.get() + 1);
        (looks.get() > n).then_some("done")
    };
    let patience = Patience::for_threads(2);
    let long = Limit::new(Duration::from_secs(60));
    assert_eq!(patience.wait(0, &long, || after(3_000), || None), Some("done"));
    assert_eq!(patience.wait(0, &long, || None, || Some("hopeless")), Some("hopeless"));
    let start = Instant::now();
    let short = Limit::new(Duration::from_millis(20));
    assert_eq!(patience.wait(0, &short, || None::<()>, || None), None);
    assert!(start.elapsed() >= Duration::from_millis(20));
}
