//! Submitted calls: their results, their order, their failures.

use crate::support::group;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::executor::{After, AsyncCommunicator, Executor, Handle, InstanceId};
use ringwood_collective::{Communicator, Group};
use ringwood_device::backend::Status;
use ringwood_schedule::ReduceOp;
use ringwood_transport::Bounds;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(10);

fn adopted(executor: &Executor, key: u64, n: usize) -> Vec<AsyncCommunicator> {
    let ranks = group(n).open().unwrap();
    ranks.into_iter().map(|comm| executor.adopt(key, comm).unwrap()).collect()
}

#[allow(clippy::ptr_arg, reason = "the type of the submitted buffer")]
fn sum(comm: &Communicator, data: &mut Vec<f32>) -> Result<()> {
    comm.with("ring").all_reduce(data, ReduceOp::Sum)
}

fn submit(member: &AsyncCommunicator, key: u64, count: usize) -> Handle<Vec<f32>> {
    member.submit(key, vec![1.0 + member.rank() as f32; count], sum)
}

fn good(handle: Handle<Vec<f32>>) -> Vec<f32> {
    handle.finish(SOON).expect("in time").ok().unwrap()
}

fn error<B>(handle: Handle<B>) -> Error {
    handle.finish(SOON).map_err(|_| "pending").unwrap().result.unwrap_err()
}

/// Runs a future to its end.
fn block_on<F: Future>(future: F) -> F::Output {
    #[derive(Default)]
    struct Task(Mutex<bool>, Condvar);
    impl Wake for Task {
        fn wake(self: Arc<Self>) {
            *self.0.lock().unwrap() = true;
            self.1.notify_all();
        }
    }
    let (task, mut future) = (Arc::new(Task::default()), pin!(future));
    let waker = task.clone().into();
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        let (guard, late) =
            task.1.wait_timeout_while(task.0.lock().unwrap(), SOON, |woken| !*woken).unwrap();
        assert!(!late.timed_out(), "the task was not woken");
        drop(guard);
        *task.0.lock().unwrap() = false;
    }
}

#[test]
fn one_thread_has_many_instances_of_many_groups_in_flight_in_any_order() {
    let executor = Executor::new();
    let groups: Vec<_> = (0..3).map(|g| adopted(&executor, g, 2 + g as usize)).collect();
    let mut handles = Vec::new();
    for (g, members) in groups.iter().enumerate() {
        for (r, member) in members.iter().enumerate() {
            for k in 0..20_u64 {
                // Every rank has an order of its own.
                let key = (k * [1, 3, 7, 9][r] + r as u64) % 20;
                handles.push((g, key, submit(member, key, 5 + key as usize)));
            }
        }
    }
    for (g, key, handle) in handles {
        let n = 2 + g;
        assert_eq!(good(handle), vec![(n * (n + 1) / 2) as f32; 5 + key as usize]);
    }
}

#[test]
fn a_handle_is_a_future_and_can_be_polled() {
    let executor = Executor::new();
    let members = adopted(&executor, 1, 2);
    let first = submit(&members[0], 1, 3);
    assert!(matches!(first.status(), Status::Pending));
    assert_eq!(first.wait(Duration::from_millis(5)).unwrap_err().kind(), ErrorKind::Timeout);
    assert!(!first.is_done());
    let late = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            submit(&members[1], 1, 3)
        });
        block_on(first)
    });
    assert_eq!(late.ok().unwrap(), [3.0; 3]);
}

#[test]
fn an_instance_starts_after_those_it_names_also_of_other_groups() {
    let executor = Executor::new();
    let (a, b) = (adopted(&executor, 1, 2), adopted(&executor, 2, 1));
    let log = Arc::new(Mutex::new(Vec::new()));
    let noting = |name: &'static str| {
        let log = Arc::clone(&log);
        move |_: &Communicator, (): &mut ()| {
            log.lock().unwrap().push(name);
            Ok(())
        }
    };
    let first = InstanceId { group: 2, step: 0, key: 5 };
    let after: Vec<_> = a
        .iter()
        .map(|m| m.instance(1).after(After::Completed(first)).submit((), noting("after")))
        .collect();
    std::thread::sleep(Duration::from_millis(20));
    assert!(log.lock().unwrap().is_empty());
    let handle = b[0].submit(5, (), noting("first"));
    assert_eq!(handle.instance(), first);
    for handle in after {
        handle.wait(SOON).unwrap();
    }
    assert_eq!(*log.lock().unwrap(), ["first", "after", "after"]);
}

#[test]
fn an_error_between_two_calls_of_a_body_reaches_the_ranks_that_wait_in_the_second() {
    let executor = Executor::new();
    let start = Instant::now();
    let submit = |member: &AsyncCommunicator| {
        member.submit(1, vec![1.0_f32], |comm, data| {
            comm.all_reduce(data, ReduceOp::Sum)?;
            if comm.rank() == 0 {
                return Err(Error::not_found("no such file"));
            }
            comm.all_reduce(data, ReduceOp::Sum)
        })
    };
    let handles: Vec<_> = adopted(&executor, 1, 3).iter().map(submit).collect();
    for handle in handles {
        let error = handle.wait(SOON).unwrap_err();
        assert!(error.to_string().contains("no such file"), "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_disagreement_ends_one_instance_with_one_error_and_gives_the_buffers_back() {
    let executor = Executor::new();
    let members = adopted(&executor, 1, 3);
    let odd: Vec<_> = members.iter().map(|m| submit(m, 1, 4 + m.rank() / 2)).collect();
    let mut texts = Vec::new();
    for (rank, handle) in odd.into_iter().enumerate() {
        let finished = handle.finish(SOON).unwrap();
        assert_eq!(finished.buffer, vec![1.0 + rank as f32; 4 + rank / 2], "untouched");
        texts.push(finished.result.unwrap_err().to_string());
    }
    assert!(texts[0].contains("in count: ranks 0, 1 have 4, rank 2 has 5"), "{}", texts[0]);
    assert!(texts.iter().all(|text| *text == texts[0]));
    executor.check().unwrap();
    let fine: Vec<_> = members.iter().map(|m| submit(m, 2, 4)).collect();
    assert!(fine.into_iter().all(|handle| good(handle) == [6.0; 4]));
}

#[test]
fn a_cancelled_instance_ends_on_every_rank_and_the_group_goes_on() {
    let executor = Executor::new();
    let members = adopted(&executor, 1, 3);
    let waiting = submit(&members[0], 1, 4);
    assert!(submit(&members[1], 1, 4).cancel());
    let late = submit(&members[2], 1, 4);
    for handle in [waiting, late] {
        assert!(!handle.cancel());
        assert_eq!(error(handle).message(), "rank 1 cancelled instance 1 of group 1");
    }
    let fine: Vec<_> = members.iter().map(|m| submit(m, 2, 4)).collect();
    assert!(fine.into_iter().all(|handle| good(handle) == [6.0; 4]));
}

#[test]
fn a_dropped_handle_lets_the_call_go_on() {
    let executor = Executor::new();
    let members = adopted(&executor, 1, 2);
    drop(submit(&members[0], 1, 4));
    assert_eq!(good(submit(&members[1], 1, 4)), [3.0; 4]);
}

#[test]
fn an_abort_ends_every_pending_call_with_the_first_error() {
    let executor = Executor::new();
    let (a, b) = (adopted(&executor, 1, 3), adopted(&executor, 2, 2));
    let mut pending: Vec<_> = (0..5).map(|key| submit(&a[0], key, 4)).collect();
    pending.push(submit(&b[1], 1, 4));
    executor.abort(Error::new(ErrorKind::Aborted, "the user pressed a key"));
    executor.abort(Error::new(ErrorKind::Backend, "a later failure"));
    pending.push(submit(&b[0], 1, 4));
    for handle in pending {
        let finished = handle.finish(SOON).unwrap();
        assert_eq!(finished.buffer.len(), 4);
        assert_eq!(finished.result.unwrap_err().message(), "the user pressed a key");
    }
    assert_eq!(executor.check().unwrap_err().message(), "the user pressed a key");
    let refused = executor.adopt(3, group(1).open().unwrap().remove(0)).err().unwrap();
    assert_eq!(refused.message(), "the user pressed a key");
}

#[test]
fn waiting_for_ranks_and_running_have_bounds_of_their_own() {
    let short = Duration::from_millis(50);
    let executor = Executor::new().bounds(Bounds { arrival: SOON, execution: SOON });
    let members = adopted(&executor, 1, 3);
    let third = submit(&members[2], 1, 4);
    // The shortest bound of all counts.
    let first = members[0].instance(1).bounds(Bounds { arrival: short, execution: SOON });
    let first = first.submit(vec![1.0_f32; 4], sum);
    for handle in [first, third] {
        assert_eq!(error(handle).message(), "rank 1 did not come to instance 1 of group 1 in time");
    }
    assert_eq!(error(submit(&members[1], 1, 4)).kind(), ErrorKind::Timeout);

    let executor = Executor::new().bounds(Bounds { arrival: SOON, execution: short });
    let members = adopted(&executor, 1, 2);
    let start = Instant::now();
    let handles: Vec<_> = members
        .iter()
        .map(|member| {
            member.submit(1, vec![1.0_f32; 8], move |comm, data| {
                while comm.rank() == 0 && comm.check().is_ok() && start.elapsed() < SOON {
                    std::thread::sleep(Duration::from_millis(1));
                }
                sum(comm, data)
            })
        })
        .collect();
    for handle in handles {
        let text = error(handle).to_string();
        assert!(
            text.starts_with("instance 1 of group 1 did not end in time on ranks 0, 1"),
            "{text}"
        );
    }
    assert!(start.elapsed() < SOON / 2);
}

#[test]
fn a_panic_in_a_body_or_an_error_before_its_call_reaches_every_rank() {
    type Body = fn(&Communicator, &mut Vec<f32>) -> Result<()>;
    let bodies: [(Body, &str); 2] = [
        (|_, _| panic!("out of cheese"), "instance 1 of group 1 on rank 1 panicked: out of cheese"),
        (|_, _| Err(Error::new(ErrorKind::Backend, "no data")), "no data"),
    ];
    for (body, text) in bodies {
        let executor = Executor::new();
        let members = adopted(&executor, 1, 3);
        let handles: Vec<_> = members
            .iter()
            .map(|m| m.submit(1, vec![1.0; 4], if m.rank() == 1 { body } else { sum }))
            .collect();
        for handle in handles {
            assert_eq!(error(handle).message(), text);
        }
    }
}

#[test]
fn messages_that_differ_between_two_calls_of_a_body_fail_every_rank() {
    let executor = Executor::new();
    let members = adopted(&executor, 1, 3);
    let body = |comm: &Communicator, data: &mut Vec<f32>| {
        sum(comm, data)?;
        match comm.rank() {
            0 => comm.send(&[1.0_f32; 4], 1)?,
            1 => comm.recv(&mut [1.0_f32; 2], 0)?,
            _ => {}
        }
        sum(comm, data)
    };
    let submit = |key| members.iter().map(move |m| m.submit(key, vec![1.0; 4], body));
    let handles: Vec<_> = submit(1).collect::<Vec<_>>().into_iter().chain(submit(2)).collect();
    let text = "rank 0 sends 4 elements of f32, rank 1 receives 2 elements of f32";
    for handle in handles {
        // Rank 2, which has no part in the message, does not merge its second call with others' next instance.
        assert_eq!(error(handle).message(), text);
    }
}

#[test]
fn aborts_at_random_times_leave_no_call_pending() {
    for seed in 0..60_u64 {
        let executor = Executor::new();
        let members = adopted(&executor, 1, 3);
        let handles: Vec<_> = (0..8)
            .flat_map(|k| members.iter().map(move |m| submit(m, (k + m.rank() as u64) % 8, 64)))
            .collect();
        std::thread::sleep(Duration::from_micros(seed * 13 % 400));
        executor.abort(Error::new(ErrorKind::Aborted, "enough"));
        for handle in handles {
            let finished = handle.finish(SOON).expect("ended");
            if let Err(error) = finished.result {
                assert_eq!(error.message(), "enough");
            }
        }
    }
}

#[test]
fn registries_without_collectives_fail_the_call_not_the_executor() {
    let empty = Registry::default();
    let executor = Executor::new();
    let comm = Group::builder(1).registry(empty).open().unwrap().remove(0);
    let member = executor.adopt(1, comm).unwrap();
    let body = |comm: &Communicator, data: &mut Vec<f32>| comm.all_reduce(data, ReduceOp::Sum);
    let refused = error(member.submit(1, vec![1.0; 2], body));
    assert_eq!(refused.kind(), ErrorKind::NotFound);
    executor.check().unwrap();
}

mod ahead;
mod leaving;
