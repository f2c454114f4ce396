use super::*;
use std::thread;

#[test]
fn who_keeps_a_rank_is_named_and_not_one_that_waits_itself() {
    let seats = Seats::new(4, Arc::default());
    let end = |millis| Instant::now() + Duration::from_millis(millis);
    let errors = thread::scope(|scope| {
        let waiting = scope.spawn(|| seats.wait_for((3, 2), 1, 5, end(20_000)).unwrap_err());
        while lock(&seats.ranks)[3].waits.is_none() {
            thread::yield_now();
        }
        [seats.wait_for((0, 3), 1, 5, end(10)).unwrap_err(), waiting.join().unwrap()]
    });
    for error in errors {
        assert_eq!(error.message(), "rank 2 of 4 did not finish call #1 in time");
    }
}
