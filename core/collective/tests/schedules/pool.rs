//! Loops that threads of a pool share: every piece is done once, panics arrive, threads end, and no schedule waits
//! for ever.

use super::explore;
use ringwood_device::pool::{Pool, each};
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::thread;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

#[test]
fn two_threads_run_loops_in_one_pool() {
    explore(|| {
        let pool = Arc::new(Pool::new("pool", 3).unwrap());
        let run = |pool: &Pool| {
            for pieces in [3, 2] {
                let done: Vec<_> = (0..pieces).map(|_| AtomicUsize::new(0)).collect();
                let add = |piece: &AtomicUsize| {
                    piece.fetch_add(1, Ordering::SeqCst);
                };
                pool.install(|| each(&done, add));
                assert!(done.iter().all(|piece| piece.load(Ordering::SeqCst) == 1));
            }
        };
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || run(&other));
        run(&pool);
        other.join().unwrap();
    });
}

#[test]
fn a_panic_of_each_piece_leaves_a_pool_that_works() {
    explore(|| {
        let pool = Pool::new("pool", 3).unwrap();
        for fails in [true, false] {
            let run = |_| {
                if fails {
                    // Without a message for each of thousands of schedules.
                    std::panic::resume_unwind(Box::new("a piece"));
                }
            };
            let outcome = catch_unwind(AssertUnwindSafe(|| pool.install(|| each(0..3, run))));
            assert_eq!(outcome.is_err(), fails);
        }
    });
}
