use super::*;
use crate::progress::Missing;
use crate::progress::tests::started;
use crate::protocol::{Direction, Scope};
use crate::system::computed;
use ringwood_transport::flight::{Flight, Kind, begin, install, waits_for};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Looks for as long as a circle has to last, and as often as a session does.
fn look(progress: &Progress) -> Option<Circle> {
    let from = lock(&progress.looked).last;
    (1..=4).find_map(|i| progress.look(from + LOOK * i))
}

fn recv(progress: &Progress, rank: usize, peer: usize) -> Vec<Missing> {
    progress.exchange(rank, Direction::Recv, peer)
}

fn send(progress: &Progress, rank: usize, peer: usize) -> Vec<Missing> {
    progress.exchange(rank, Direction::Send, peer)
}

#[test]
fn workers_that_receive_from_each_other_are_told_their_circle_after_a_moment() {
    let progress = started(3);
    assert!(recv(&progress, 0, 1).is_empty());
    assert!(look(&progress).is_none());
    assert!(recv(&progress, 1, 0).is_empty());
    let now = lock(&progress.looked).last;
    assert!(progress.look(now + LOOK).is_none());
    assert!(progress.look(now + LOOK * 2).is_none());
    let Circle { members, failure } = progress.look(now + LOOK * 3).unwrap();
    assert_eq!((members, failure.kind), (vec![(0, 1), (1, 1)], ErrorKind::Mismatch));
    assert_eq!(
        failure.text,
        "workers wait for each other: worker 0 of 3 waits in recv #1 from worker 1 of `step`, call 1, for worker 1, \
         which waits in recv #1 from worker 0 of `step`, call 1, for worker 0"
    );
}

#[test]
fn of_a_long_circle_the_beginning_is_told() {
    let progress = started(100);
    (0..100).for_each(|rank| assert!(recv(&progress, rank, (rank + 1) % 100).is_empty()));
    let Circle { members, failure } = look(&progress).unwrap();
    assert_eq!(members.len(), 100);
    assert_eq!(failure.text.matches("which waits in").count(), 15, "{}", failure.text);
    let end = "for worker 16, and so on: 84 more, the last for worker 0";
    assert!(failure.text.ends_with(end), "{}", failure.text);
}

#[test]
fn a_circle_goes_through_messages_and_collectives_of_all_and_of_groups() {
    let progress = Progress::new(4, 2, None);
    (0..4).for_each(|rank| progress.begin(rank, 1, "step".into()));
    progress.enter(0, Scope::All, "all_reduce".into());
    progress.enter(2, Scope::All, "all_reduce".into());
    assert!(look(&progress).is_none());
    progress.enter(1, Scope::Group, "all_gather".into());
    let circle = look(&progress).unwrap();
    assert_eq!(circle.members, [(0, 1), (1, 1)]);
    // Worker 3 is in no circle, nor is who waits for one.
    send(&progress, 3, 2);
    let circle = look(&progress).unwrap();
    assert!(circle.failure.text.contains("waits in all_gather #1 of `step`, call 1, for worker 0"));
    let progress = started(3);
    send(&progress, 0, 1);
    progress.enter(1, Scope::All, "all_reduce".into());
    progress.enter(2, Scope::All, "all_reduce".into());
    assert_eq!(look(&progress).unwrap().members, [(0, 1), (1, 1)]);
}

#[test]
fn who_waits_for_a_worker_that_may_go_on_waits_in_no_circle() {
    // One of them has a partner that has come, as far as is known.
    let progress = started(2);
    send(&progress, 0, 1);
    recv(&progress, 1, 0);
    assert!(look(&progress).is_none());
    progress.exchanged(1);
    send(&progress, 1, 0);
    assert!(look(&progress).is_none());
    // The other one does something yet.
    let progress = started(3);
    recv(&progress, 0, 1);
    recv(&progress, 1, 2);
    assert!(look(&progress).is_none());
    // The body of its collective exchanges messages.
    let progress = started(2);
    let begun = Arc::new(AtomicU64::new(0));
    progress.follow(0, Scope::All, Arc::clone(&begun));
    progress.enter(0, Scope::All, "exchange".into());
    begun.fetch_add(1, Ordering::Relaxed);
    recv(&progress, 1, 0);
    assert!(look(&progress).is_none());
    // It is in another call.
    let progress = started(2);
    progress.end(1, None);
    progress.begin(1, 2, "step".into());
    recv(&progress, 1, 0);
    assert!(look(&progress).is_none());
}

#[test]
fn a_circle_has_to_last_and_to_be_looked_at() {
    let progress = started(2);
    recv(&progress, 0, 1);
    recv(&progress, 1, 0);
    assert!(progress.look(LOOK).is_none());
    // Who looks again after long does not know yet what has come meanwhile.
    assert!(progress.look(LOOK + Duration::from_secs(60)).is_none());
    assert!(look(&progress).is_some());
}

#[test]
fn a_worker_whose_record_shows_no_wait_is_in_no_circle() {
    let progress = started(2);
    let flight = Flight::create(2).unwrap();
    progress.record(Arc::clone(&flight));
    recv(&progress, 0, 1);
    recv(&progress, 1, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| install(Arc::clone(&flight), 1));
    });
    assert!(look(&progress).is_none());
}

#[test]
fn the_records_of_a_large_circle_are_read_once_and_not_for_each_worker() {
    const WORKERS: usize = 500;
    let progress = started(WORKERS);
    let flight = Flight::create(WORKERS).unwrap();
    progress.record(Arc::clone(&flight));
    let wait = |rank: usize| {
        install(Arc::clone(&flight), rank);
        (0..100).for_each(|_| begin(Kind::Message, "recv", 4, None).end());
        let _open = begin(Kind::Message, "recv", 4, None);
        waits_for((rank + 1) % WORKERS);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| (0..WORKERS).for_each(wait));
    });
    (0..WORKERS).for_each(|rank| assert!(recv(&progress, rank, (rank + 1) % WORKERS).is_empty()));
    let start = Instant::now();
    assert_eq!(look(&progress).unwrap().members.len(), WORKERS);
    // For each worker it would take 500 times as long as the one look does, which is some milliseconds.
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

#[test]
fn workers_that_wait_for_one_that_goes_on_are_looked_at_once_each() {
    const WORKERS: usize = 4000;
    let progress = started(WORKERS);
    // Each lacks those of a lower number, and at last the first one, which has come to nothing.
    for rank in 1..WORKERS {
        let mut tracks = lock(&progress.tracks);
        tracks[rank].reached.collectives[Scope::All as usize] = rank as u64;
        drop(tracks);
        progress.enter(rank, Scope::All, "all_reduce".into());
    }
    let (start, before) = (Instant::now(), computed());
    assert!(look(&progress).is_none());
    let spent = before.and_then(|before| computed()?.checked_sub(before));
    let spent = spent.unwrap_or_else(|| start.elapsed());
    // For each pair of workers it would take a second.
    assert!(spent < Duration::from_millis(500), "{spent:?}");
}

#[test]
fn a_slow_worker_is_warned_of_once_in_a_call() {
    let progress = started(3);
    progress.enter(0, Scope::All, "all_reduce".into());
    let wait = |from: u64, to: u64| {
        let looks = (from * 10..to * 10).map(|i| Duration::from_millis(100 * i));
        looks.filter(|&now| progress.is_due(now)).find_map(|now| progress.slowest(now))
    };
    assert_eq!(wait(0, 3), None);
    recv(&progress, 2, 1);
    let wanted = "worker 1 is slow: it runs `step`, call 1; worker 0 waits for it in all_reduce #1 since 5.0 s";
    assert_eq!(wait(3, 7).unwrap(), wanted);
    assert_eq!(wait(7, 20), None);
    progress.begin(0, 2, "next".into());
    progress.enter(0, Scope::All, "all_reduce".into());
    assert!(wait(20, 27).unwrap().contains("worker 0 waits for it in all_reduce #2 since 5.0 s"));
}
