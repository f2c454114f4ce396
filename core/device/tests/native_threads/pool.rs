//! Loops that the threads of a pool share.

use ringwood_device::pool::{Pool, each, threads};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, current};
use std::time::Duration;

fn meet(barrier: &Barrier) {
    barrier.wait();
}

#[test]
fn every_piece_is_done_once_on_any_number_of_threads() {
    for count in [0, 1, 2, 3, 8] {
        let pool = Pool::new("pool", count).unwrap();
        for pieces in (0..40).chain([1000]) {
            let mut done = vec![0; pieces];
            pool.install(|| {
                assert_eq!(threads(), count.max(1));
                each(&mut done, |piece| *piece += 1);
            });
            assert_eq!(done, vec![1; pieces]);
        }
    }
    assert_eq!(threads(), 1, "outside of a pool");
}

#[test]
fn as_many_threads_as_there_are_work_at_a_time() {
    let (pool, barrier) = (Pool::new("pool", 3).unwrap(), Barrier::new(3));
    // Threads that sleep are woken, too.
    for wait in [0, 1, 20] {
        thread::sleep(Duration::from_millis(wait));
        pool.install(|| {
            each(0..3, |_| meet(&barrier));
        });
    }
}

#[test]
fn loops_inside_of_a_piece_are_not_shared_but_those_of_a_single_one_are() {
    let pool = Pool::new("pool", 2).unwrap();
    pool.install(|| {
        each(0..2, |_| assert_eq!(threads(), 1));
        each(0..1, |_| assert_eq!(threads(), 2));
    });
    let sum = AtomicUsize::new(0);
    let add = |i| {
        sum.fetch_add(i, Ordering::Relaxed);
    };
    let inner = || each(0..10, add);
    pool.install(|| each(0..10, |_| pool.install(inner)));
    assert_eq!(sum.into_inner(), 450);
}

#[test]
fn a_panic_of_a_piece_reaches_who_runs_the_loop_and_the_pool_goes_on() {
    let (pool, barrier, caller) = (Pool::new("pool", 2).unwrap(), Barrier::new(2), current().id());
    for guilty in [[true, false], [false, true], [true, true]] {
        let run = |_| {
            // Each of the two threads does one piece.
            barrier.wait();
            let helps = current().id() != caller;
            assert!(!guilty[usize::from(helps)], "helps: {helps}");
        };
        let panic =
            catch_unwind(AssertUnwindSafe(|| pool.install(|| each(0..2, run)))).unwrap_err();
        let text = format!("helps: {}", !guilty[0]);
        assert_eq!(panic.downcast_ref::<String>(), Some(&text));
        assert_eq!(threads(), 1);
    }
    pool.install(|| each(0..2, |_| meet(&barrier)));
}

#[test]
fn loops_of_several_threads_have_the_pool_in_turns() {
    let (pool, sum) = (Pool::new("pool", 2).unwrap(), AtomicUsize::new(0));
    let add = |i| {
        sum.fetch_add(i, Ordering::Relaxed);
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..500).for_each(|_| pool.install(|| each(0..10, add))));
        }
    });
    assert_eq!(sum.into_inner(), 4 * 500 * 45);
}

#[test]
fn a_loop_that_met_the_pool_at_work_is_helped_once_it_is_free() {
    let pool = Pool::new("pool", 2).unwrap();
    let [begun, ended] = [3, 3].map(Barrier::new);
    let [free, together] = [2, 2].map(Barrier::new);
    thread::scope(|scope| {
        scope.spawn(|| {
            let both = |_| {
                begun.wait();
                ended.wait();
            };
            pool.install(|| each(0..2, both));
            free.wait();
        });
        begun.wait();
        let run = |i| match i {
            0 => {
                ended.wait();
                free.wait();
            }
            _ => meet(&together),
        };
        pool.install(|| each(0..3, run));
    });
}
