use super::*;

impl Progress {
    pub(super) fn begin(&self, rank: usize, call: u64, function: Cow<'static, str>) {
        assert!(self.note(rank, Event::Begin { call, function }).is_empty());
    }

    pub(super) fn enter(&self, rank: usize, scope: Scope, name: Cow<'static, str>) -> Vec<Missing> {
        self.note(rank, Event::Enter { scope, name })
    }

    pub(super) fn exchange(&self, rank: usize, direction: Direction, peer: usize) -> Vec<Missing> {
        self.note(rank, Event::Exchange { direction, peer })
    }

    pub(super) fn exchanged(&self, rank: usize) {
        assert!(self.note(rank, Event::Exchanged).is_empty());
    }

    pub(super) fn leave(&self, rank: usize, joined: u64) {
        assert!(self.note(rank, Event::Leave { joined }).is_empty());
    }

    pub(super) fn end(&self, rank: usize, failure: Option<Failure>) -> Vec<Missing> {
        self.note(rank, Event::End { failure })
    }
}

pub(super) fn started(workers: usize) -> Progress {
    let progress = Progress::new(workers, 1, None);
    (0..workers).for_each(|rank| progress.begin(rank, 1, "step".into()));
    progress
}

fn failure(text: &str) -> Failure {
    Failure { kind: ErrorKind::Shape, text: text.into(), closes: false }
}

#[test]
fn workers_that_do_the_same_are_told_together_and_not_all_of_those_that_do_not() {
    let progress = started(1000);
    for rank in (0..1000).filter(|rank| *rank != 7) {
        assert!(progress.enter(rank, Scope::All, "all_reduce".into()).is_empty());
    }
    let all: Vec<usize> = (0..1000).collect();
    let text = "workers 0..=6, 8..=999 wait in all_reduce #1 of `step`, call 1; worker 7 runs `step`, call 1";
    assert_eq!(progress.activities(&all), text);
    let progress = Progress::new(1000, 1, None);
    (0..1000).for_each(|rank| progress.begin(rank, rank as u64, "step".into()));
    let text = progress.activities(&all);
    let end = "; worker 15 runs `step`, call 15; 984 more do something else";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn who_holds_up_many_workers_that_wait_in_different_places_is_told_first() {
    let progress = started(1000);
    for rank in (0..1000).filter(|rank| *rank != 500) {
        assert!(progress.exchange(rank, Direction::Recv, (rank + 1) % 1000).is_empty());
    }
    let text = progress.activities(&(0..1000).collect::<Vec<_>>());
    assert!(
        text.starts_with("worker 500 runs `step`, call 1; worker 0 waits in recv #1"),
        "{text}"
    );
    assert!(text.ends_with("; 984 more do something else"), "{text}");
}

#[test]
fn a_worker_that_leaves_is_missed_by_those_that_wait() {
    let progress = started(3);
    assert!(progress.enter(0, Scope::All, "all_reduce".into()).is_empty());
    let missed = progress.end(1, Some(failure("no data"))).remove(0).failure;
    assert_eq!((missed.text.as_str(), missed.closes), ("no data", true));
}

#[test]
fn a_worker_that_has_left_is_missed_by_those_that_come_later() {
    let progress = started(3);
    assert!(progress.end(1, None).is_empty());
    let missed = progress.enter(0, Scope::All, "all_reduce".into()).remove(0).failure;
    assert_eq!(missed.kind, ErrorKind::Mismatch);
    assert_eq!(
        missed.text,
        "workers disagree in `step`: worker 1 of 3 returned after 0 collectives, worker 0 waits in all_reduce, its number 1 of this call"
    );
}

#[test]
fn a_worker_that_is_calls_ahead_is_still_missed() {
    let progress = started(2);
    assert!(progress.end(1, None).is_empty());
    for call in 2..5 {
        progress.begin(1, call, "other".into());
        assert!(progress.end(1, None).is_empty());
    }
    assert!(!progress.enter(0, Scope::All, "all_reduce".into()).is_empty());
}

#[test]
fn a_worker_that_fails_after_the_collective_harms_no_one() {
    let progress = started(2);
    assert!(progress.enter(0, Scope::All, "all_reduce".into()).is_empty());
    assert!(progress.enter(1, Scope::All, "all_reduce".into()).is_empty());
    progress.leave(1, 1);
    assert!(progress.end(1, Some(failure("no data"))).is_empty());
    progress.leave(0, 1);
    assert!(progress.end(0, None).is_empty());
    progress.begin(0, 2, "step".into());
    assert!(progress.enter(0, Scope::All, "all_reduce".into()).is_empty());
    assert_eq!(progress.activity(0), "waits in all_reduce #2 of `step`, call 2");
    assert!(progress.closed().is_none());
}

#[test]
fn a_worker_that_fails_before_it_joins_has_not_been_there() {
    let progress = started(2);
    assert!(progress.enter(0, Scope::All, "all_reduce".into()).is_empty());
    assert!(progress.enter(1, Scope::All, "all_reduce".into()).is_empty());
    progress.leave(1, 0);
    assert!(!progress.end(1, Some(failure("no data"))).is_empty());
}

#[test]
fn the_first_failure_closes_and_stays() {
    let progress = started(2);
    assert!(progress.enter(1, Scope::All, "all_reduce".into()).is_empty());
    progress.close(failure("first"));
    assert_eq!(progress.close(failure("second")).text, "first");
    progress.leave(1, 1);
    assert_eq!(progress.enter(0, Scope::All, "all_reduce".into()).remove(0).failure.text, "first");
    assert_eq!(progress.activity(1), "waits in all_reduce #1 of `step`, call 1");
}
