use super::*;
use ringwood_base::ErrorKind;

#[test]
fn the_first_offer_counts_and_garbage_is_an_error() {
    let verdict = Verdict::default();
    assert!(verdict.heard().is_none());
    let first = verdict.offer(Error::new(ErrorKind::Timeout, "one").with("rank", 3), Some(3));
    let second = verdict.offer(Error::new(ErrorKind::Panic, "two"), Some(2));
    assert_eq!(verdict.raised_by(), Some(3));
    assert_eq!(
        (first.to_string(), second.to_string()),
        ("one (rank: 3)".into(), "one (rank: 3)".into())
    );
    for state in [WRITING, 3, u64::MAX] {
        verdict.state.store(state, Ordering::Release);
        assert_eq!(verdict.heard().unwrap().kind(), ErrorKind::Aborted);
    }
}
