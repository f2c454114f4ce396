use super::*;

fn started(workers: usize) -> Progress {
    let progress = Progress::new(workers, 1, None);
    (0..workers).for_each(|rank| progress.begin(rank, 1, "step".into()));
    progress
}

fn failure(text: &str) -> Failure {
    Failure { kind: ErrorKind::Shape, text: text.into(), call: 1, closes: false }
}

#[test]
fn a_worker_that_leaves_is_missed_by_those_that_wait() {
    let progress = started(3);
    progress.enter(0, Scope::All, "all_reduce".into()).unwrap();
    let missed = progress.end(1, Some(failure("no data"))).unwrap_err().failure;
    assert_eq!((missed.text.as_str(), missed.closes), ("no data", true));
}

#[test]
fn a_worker_that_has_left_is_missed_by_those_that_come_later() {
    let progress = started(3);
    progress.end(1, None).unwrap();
    let missed = progress.enter(0, Scope::All, "all_reduce".into()).unwrap_err().failure;
    assert_eq!(missed.kind, ErrorKind::Mismatch);
    assert_eq!(
        missed.text,
        "workers disagree in `step`: worker 1 of 3 returned after 0 collectives, worker 0 waits in all_reduce, its number 1 of this call"
    );
}

#[test]
fn a_worker_that_is_calls_ahead_is_still_missed() {
    let progress = started(2);
    progress.end(1, None).unwrap();
    for call in 2..5 {
        progress.begin(1, call, "other".into());
        progress.end(1, None).unwrap();
    }
    assert!(progress.enter(0, Scope::All, "all_reduce".into()).is_err());
}

#[test]
fn a_worker_that_fails_after_the_collective_harms_no_one() {
    let progress = started(2);
    progress.enter(0, Scope::All, "all_reduce".into()).unwrap();
    progress.enter(1, Scope::All, "all_reduce".into()).unwrap();
    progress.leave(1, 1);
    progress.end(1, Some(failure("no data"))).unwrap();
    progress.leave(0, 1);
    progress.end(0, None).unwrap();
    progress.begin(0, 2, "step".into());
    progress.enter(0, Scope::All, "all_reduce".into()).unwrap();
    assert_eq!(progress.activity(0), "waits in all_reduce #2 of `step`, call 2");
    assert!(progress.closed().is_none());
}

#[test]
fn a_worker_that_fails_before_it_joins_has_not_been_there() {
    let progress = started(2);
    progress.enter(0, Scope::All, "all_reduce".into()).unwrap();
    progress.enter(1, Scope::All, "all_reduce".into()).unwrap();
    progress.leave(1, 0);
    assert!(progress.end(1, Some(failure("no data"))).is_err());
}

#[test]
fn the_first_failure_closes_and_stays() {
    let progress = started(2);
    progress.enter(1, Scope::All, "all_reduce".into()).unwrap();
    progress.close(failure("first"));
    assert_eq!(progress.close(failure("second")).text, "first");
    progress.leave(1, 1);
    assert_eq!(
        progress.enter(0, Scope::All, "all_reduce".into()).unwrap_err().failure.text,
        "first"
    );
    assert_eq!(progress.activity(1), "waits in all_reduce #1 of `step`, call 1");
}
