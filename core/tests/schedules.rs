//! Schedules of threads, explored: thousands of random interleavings of the executor and the
//! rendezvous, each reproducible by its seed. A thread that would wait for ever fails the test.
//!
//! `RUSTFLAGS="--cfg ringwood_shuttle" cargo test --package ringwood-core --test schedules`

#![cfg(ringwood_shuttle)]

use ringwood_core::collective::Group;
use ringwood_core::collective::executor::{After, AsyncCommunicator, Executor, Handle, InstanceId};
use ringwood_core::collective::rendezvous::{Key, Rendezvous};
use ringwood_core::registry::Registry;
use ringwood_core::{Error, ErrorKind, Result};
use shuttle::future::block_on;
use shuttle::sync::Mutex;
use shuttle::thread;
use std::sync::Arc;
use std::time::Duration;

/// Timeouts do not pass here: what would end by one is a deadlock.
const NEVER: Duration = Duration::from_secs(3600);

/// Random schedules, and those that change threads at few but unlucky places.
fn explore(body: impl Fn() + Send + Sync + Clone + 'static) {
    shuttle::check_random(body.clone(), 1_500);
    shuttle::check_pct(body, 1_500, 3);
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

fn key() -> Key {
    Key { instance: InstanceId { group: 1, step: 0, key: 1 }, producer: 0, consumer: 1, part: 0 }
}

#[test]
fn a_buffer_comes_back_to_its_producer_whoever_comes_first_gives_up_or_aborts() {
    explore(|| {
        let rendezvous = Arc::new(Rendezvous::new());
        let produces = {
            let rendezvous = Arc::clone(&rendezvous);
            thread::spawn(move || {
                let provided = rendezvous.provide(key(), 5);
                let finished = provided.finish(NEVER).ok().expect("no timeout passes");
                assert_eq!(finished.buffer, Some(5));
                finished.result.is_ok()
            })
        };
        let aborts = {
            let rendezvous = Arc::clone(&rendezvous);
            thread::spawn(move || rendezvous.abort(enough()))
        };
        let lent = rendezvous.consume(key()).wait(NEVER);
        let read = lent.as_ref().is_ok_and(|buffer| **buffer == 5);
        drop(lent);
        aborts.join().unwrap();
        assert_eq!(produces.join().unwrap(), read);
    });
}

#[test]
fn a_consumer_that_gives_up_leaves_the_buffer_to_the_next_one() {
    explore(|| {
        let rendezvous = Arc::new(Rendezvous::new());
        let gives_up = {
            let rendezvous = Arc::clone(&rendezvous);
            thread::spawn(move || drop(rendezvous.consume(key())))
        };
        let provided = rendezvous.provide(key(), 5);
        gives_up.join().unwrap();
        // It was met, and the buffer is back; or it still is on offer.
        if !provided.is_done() {
            assert_eq!(*block_on(rendezvous.consume(key())).unwrap(), 5);
        }
        assert_eq!(block_on(provided).ok().unwrap(), Some(5));
    });
}
