//! A rank that is many calls ahead of the others.

use super::*;

/// How long `n` calls take that one rank submits ahead of the other.
fn ahead(n: u64) -> Duration {
    let executor = Executor::new();
    let members = adopted(&executor, 1, 2);
    let start = Instant::now();
    let submit = |member: &AsyncCommunicator| {
        (0..n).map(|key| member.submit(key, (), |_, ()| Ok(()))).collect::<Vec<_>>()
    };
    let handles: Vec<_> = members.iter().flat_map(submit).collect();
    drop(members);
    for handle in handles {
        handle.wait(SOON).unwrap();
    }
    start.elapsed()
}

#[test]
fn a_call_takes_as_long_however_many_are_pending() {
    let few: Duration = (0..10).map(|_| ahead(2_000)).sum();
    let many = ahead(20_000);
    assert!(many < 4 * few + Duration::from_secs(2), "{many:?}, in ten parts {few:?}");
}
