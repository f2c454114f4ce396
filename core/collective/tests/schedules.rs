//! Schedules of threads, explored: thousands of random interleavings of the executor,
//! the collectives between threads, the pool of loops and the streams of devices, each reproducible by its seed. A
//! thread that would wait for ever fails the test.
//!
//! `RUSTFLAGS="--cfg ringwood_shuttle" cargo test --package ringwood-collective --test schedules`

#![cfg(ringwood_shuttle)]

#[path = "collectives/support.rs"]
#[allow(dead_code, reason = "shared with the tests of what collectives compute")]
mod support;

#[path = "schedules/pool.rs"]
mod pool;
#[path = "schedules/streams.rs"]
mod streams;
#[path = "schedules/woven.rs"]
mod woven;

use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::executor::{After, AsyncCommunicator, Executor, Handle, InstanceId};
use ringwood_collective::{Communicator, Group};
use ringwood_schedule::ReduceOp;
use shuttle::future::block_on;
use shuttle::sync::Mutex;
use shuttle::thread;
use std::sync::Arc;
use std::time::Duration;

/// Timeouts do not pass here: what would end by one is a deadlock.
const NEVER: Duration = Duration::from_secs(3600);

/// Random schedules, and those that change threads at few but unlucky places.
fn explore(body: impl Fn() + Send + Sync + Clone + 'static) {
    shuttle::check_random(body.clone(), 1_000);
    shuttle::check_pct(body, 1_000, 3);
}

fn adopted(executor: &Executor, registry: &Arc<Registry>) -> [AsyncCommunicator; 2] {
    let ranks = Group::builder(2).registry(Arc::clone(registry)).open().unwrap();
    let adopt = |comm| executor.adopt(1, comm).unwrap();
    ranks.into_iter().map(adopt).collect::<Vec<_>>().try_into().ok().unwrap()
}

fn enough() -> Error {
    Error::new(ErrorKind::Aborted, "enough")
}

fn text<B>(handle: Handle<B>) -> (B, Option<String>) {
    let finished = handle.finish(NEVER).ok().expect("no timeout passes");
    (finished.buffer, finished.result.err().map(|error| error.to_string()))
}

#[test]
fn ranks_that_submit_in_different_orders_run_in_one_order_and_their_threads_end() {
    let registry = Arc::new(Registry::default());
    explore(move || {
        let executor = Executor::new();
        let log = [0, 1].map(|_| Arc::new(Mutex::new(Vec::new())));
        let ranks: Vec<_> = adopted(&executor, &registry)
            .into_iter()
            .zip([[1, 2], [2, 1]])
            .zip(log.clone())
            .map(|((member, keys), log)| {
                thread::spawn(move || {
                    let submit = |key: u64| {
                        let log = Arc::clone(&log);
                        member.submit(key, key, move |_, key| {
                            log.lock().unwrap().push(*key);
                            Ok(())
                        })
                    };
                    for (handle, key) in keys.map(submit).into_iter().zip(keys) {
                        assert_eq!(text(handle), (key, None));
                    }
                })
            })
            .collect();
        ranks.into_iter().for_each(|rank| rank.join().unwrap());
        let [zero, one] = log.map(|log| log.lock().unwrap().clone());
        assert_eq!((zero.len(), &zero), (2, &one));
    });
}

#[test]
fn an_abort_at_any_time_ends_every_call_once_with_its_error() {
    let registry = Arc::new(Registry::default());
    explore(move || {
        let executor = Executor::new();
        let aborts = executor.clone();
        let abort = thread::spawn(move || aborts.abort(enough()));
        let ranks = adopted_or(&executor, &registry, |member| {
            let first = InstanceId { group: 1, step: 0, key: 1 };
            let late = member.instance(2).after(After::Completed(first)).submit(2, |_, _| Ok(()));
            let handles = [late, member.submit(1, 1, |_, _| Ok(()))];
            for (buffer, failure) in handles.map(text) {
                assert!(buffer == 1 || buffer == 2);
                assert!(failure.is_none_or(|text| text == "enough"));
            }
        });
        ranks.into_iter().for_each(|rank| rank.join().unwrap());
        abort.join().unwrap();
        assert_eq!(executor.check().unwrap_err().message(), "enough");
    });
}

/// The ranks that could join before an abort, each on a thread.
fn adopted_or(
    executor: &Executor,
    registry: &Arc<Registry>,
    body: impl Fn(AsyncCommunicator) + Send + Sync + Copy + 'static,
) -> Vec<thread::JoinHandle<()>> {
    let ranks = Group::builder(2).registry(Arc::clone(registry)).open().unwrap();
    let members: Result<Vec<_>> = ranks.into_iter().map(|comm| executor.adopt(1, comm)).collect();
    match members {
        Ok(members) => members.into_iter().map(|m| thread::spawn(move || body(m))).collect(),
        Err(error) => {
            assert_eq!(error.message(), "enough");
            Vec::new()
        }
    }
}

#[test]
fn a_cancel_at_any_time_is_seen_by_both_ranks_or_by_none() {
    let registry = Arc::new(Registry::default());
    explore(move || {
        let executor = Executor::new();
        let [zero, one] = adopted(&executor, &registry);
        let other = thread::spawn(move || text(one.submit(1, (), |_, ()| Ok(()))).1);
        let handle = zero.submit(1, (), |_, ()| Ok(()));
        let cancelled = handle.cancel();
        let failures = [text(handle).1, other.join().unwrap()];
        assert_eq!(failures[0], failures[1]);
        assert_eq!(failures[0].is_some(), cancelled);
    });
}

#[test]
fn a_rank_that_leaves_at_any_time_lets_nobody_wait() {
    let registry = Arc::new(Registry::default());
    explore(move || {
        let executor = Executor::new();
        let [zero, one] = adopted(&executor, &registry);
        let leaves = thread::spawn(move || {
            drop(one.submit(1, (), |_, ()| Ok(())));
            drop(one);
        });
        let both = zero.submit(1, (), |_, ()| Ok(()));
        let alone = zero.submit(2, (), |_, ()| Ok(()));
        let left = "rank 1 of 2 left the group before instance 2 of group 1";
        assert_eq!(text(alone).1.unwrap(), left);
        assert!(text(both).1.is_none_or(|text| text == left));
        leaves.join().unwrap();
    });
}

#[test]
fn the_thread_of_a_rank_that_left_ends_when_its_last_call_is_refused() {
    let registry = Arc::new(Registry::default());
    explore(move || {
        let executor = Executor::new();
        let [zero, one] = adopted(&executor, &registry);
        let leaves = thread::spawn(move || drop(one.submit(1, (), |_, ()| Ok(()))));
        let handle = zero.instance(1).after(never()).submit((), |_, ()| Ok(()));
        leaves.join().unwrap();
        assert!(handle.cancel());
        assert_eq!(text(handle).1.unwrap(), "rank 0 cancelled instance 1 of group 1");
    });
}

/// An instance that nobody submits comes first.
fn never() -> After {
    After::Launched(InstanceId { group: 9, step: 0, key: 0 })
}

#[test]
fn an_awaited_handle_is_woken_whenever_its_call_ends() {
    let registry = Arc::new(Registry::default());
    explore(move || {
        let executor = Executor::new();
        let [zero, one] = adopted(&executor, &registry);
        let other = thread::spawn(move || block_on(one.submit(1, 7, |_, _| Ok(()))).ok().unwrap());
        assert_eq!(block_on(zero.submit(1, 8, |_, _| Ok(()))).ok().unwrap(), 8);
        assert_eq!(other.join().unwrap(), 7);
    });
}

/// Every rank of a group on a thread of its own; its outcomes in the order of the ranks.
fn ranks<R: Send + 'static>(
    n: usize,
    registry: &Arc<Registry>,
    body: impl Fn(Communicator) -> R + Send + Sync + Copy + 'static,
) -> Vec<R> {
    let ranks = Group::builder(n).registry(Arc::clone(registry)).timeout(NEVER).open().unwrap();
    let threads: Vec<_> = ranks.into_iter().map(|comm| thread::spawn(move || body(comm))).collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

fn all_reduce(comm: &Communicator, algorithm: &str, count: usize, call: usize) -> Result<()> {
    let mut data = vec![(comm.rank() + call) as f32; count];
    comm.with(algorithm).all_reduce(&mut data, ReduceOp::Sum)?;
    let n = comm.size();
    assert!(data.iter().all(|v| *v == (n * call + n * (n - 1) / 2) as f32), "call {call}");
    Ok(())
}

/// Small inputs travel with the arrival; large ones are read in place.
const COUNTS: [usize; 2] = [3, 3000];

#[test]
fn calls_in_a_row_are_right_under_every_schedule() {
    let registry = Arc::new(support::registry());
    explore(move || {
        ranks(2, &registry, |comm| {
            for call in 0..4 {
                all_reduce(&comm, ["ring", "one_shot"][call / 2], COUNTS[call % 2], call).unwrap();
            }
        });
    });
}

#[test]
fn an_abort_reaches_every_rank_at_any_time() {
    let registry = Arc::new(support::registry());
    explore(move || {
        let outcomes = ranks(3, &registry, |comm| {
            if comm.rank() == 0 {
                let handle = comm.abort_handle();
                thread::spawn(move || handle.abort(enough()));
            }
            let mut call = 0;
            loop {
                if let Err(error) = all_reduce(&comm, "ring", COUNTS[call % 2], call) {
                    return error.to_string();
                }
                call += 1;
                thread::yield_now();
            }
        });
        assert_eq!(outcomes, ["enough"; 3]);
    });
}

#[test]
fn a_disagreement_reaches_every_rank_and_the_group_goes_on() {
    let registry = Arc::new(support::registry());
    explore(move || {
        let outcomes = ranks(3, &registry, |comm| {
            let odd = comm.rank() == 1;
            let error = all_reduce(&comm, "ring", COUNTS[usize::from(odd)], 1).unwrap_err();
            all_reduce(&comm, "ring", COUNTS[1], 2).unwrap();
            error.to_string()
        });
        assert!(outcomes[0].contains("rank 1 has 3000"), "{}", outcomes[0]);
        assert!(outcomes.iter().all(|text| *text == outcomes[0]));
    });
}

#[test]
fn a_rank_that_drops_its_communicator_lets_nobody_wait() {
    let registry = Arc::new(support::registry());
    explore(move || {
        let outcomes = ranks(3, &registry, |comm| {
            all_reduce(&comm, "ring", COUNTS[1], 1).unwrap();
            (comm.rank() != 2).then(|| all_reduce(&comm, "ring", COUNTS[1], 2).unwrap_err())
        });
        let texts: Vec<_> = outcomes.iter().flatten().map(|e| e.message().to_owned()).collect();
        assert_eq!(texts, ["rank 2 of 3 left the group before call #2"; 2]);
    });
}
