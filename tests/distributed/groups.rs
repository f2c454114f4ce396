//! Groups of workers of a session.
#![forbid(unsafe_code)]

use ringwood::collective::ReduceOp;
use ringwood::session::{Session, SessionBuilder, Worker};
use ringwood::{ErrorKind, Result, global_fn};
use std::time::{Duration, Instant};

fn of_groups(groups: usize) -> SessionBuilder {
    Session::builder().workers(4).groups(groups)
}

/// The number of the worker's group, and the sums of ranks in it and of all, by tensors and slices.
/// Later groups call more often.
#[global_fn]
fn sums_in_group(w: &Worker) -> Result<(usize, f32, f32)> {
    let mut own = w.device()?.tensor(&[w.rank() as f32])?;
    for _ in 0..=w.group() {
        let mut again = own.duplicate()?;
        w.in_group().all_reduce_tensor(&mut again, ReduceOp::Max)?;
        w.with("ring").in_group().all_reduce(&mut [1_u64], ReduceOp::Sum)?;
    }
    let mut all = [w.rank() as f32];
    w.all_reduce(&mut all, ReduceOp::Sum)?;
    w.in_group().all_reduce_tensor(&mut own, ReduceOp::Sum)?;
    Ok((w.group(), own.item()?, all[0]))
}

/// The rank and the size in the group, and what the worker before it in the group sent.
#[global_fn]
fn hand_on_in_group(w: &Worker) -> Result<(usize, usize, usize)> {
    let (rank, n) = (w.in_group().communicator().rank(), w.in_group().communicator().size());
    let mut got = [0_u64];
    w.in_group().collective("hand on", |group| match rank {
        0 => group.send(&[w.rank() as u64], 1),
        _ => group.recv(&mut got, 0),
    })?;
    Ok((rank, n, got[0] as usize))
}

/// One worker does not come to the all-reduce of its group.
#[global_fn]
fn desert_group(w: &Worker, how: String) -> Result<u64> {
    let mut data = [1_u64];
    if w.rank() == 3 {
        match how.as_str() {
            "panic" => panic!("out of data"),
            "length" => return w.in_group().all_reduce(&mut [1_u64; 2], ReduceOp::Sum).map(|()| 0),
            _ => return Ok(0),
        }
    }
    w.in_group().all_reduce(&mut data, ReduceOp::Sum)?;
    if how == "panic" {
        // The other group waits for what does not come either.
        w.all_reduce(&mut data, ReduceOp::Sum)?;
    }
    Ok(data[0])
}

#[test]
fn groups_are_equal_parts_in_the_order_of_the_workers_with_collectives_of_their_own() {
    let session = of_groups(2).start().unwrap();
    let sums = sums_in_group::call(&session).unwrap().gather().unwrap();
    assert_eq!(sums, [(0, 1.0, 6.0), (0, 1.0, 6.0), (1, 5.0, 6.0), (1, 5.0, 6.0)]);
    let handed = hand_on_in_group::call(&session).unwrap().gather().unwrap();
    assert_eq!(handed, [(0, 2, 0), (1, 2, 0), (0, 2, 0), (1, 2, 2)]);
}

#[test]
fn one_group_is_all_workers_and_a_group_may_be_one_worker() {
    for (groups, wanted) in [(1, [6.0; 4]), (4, [0.0, 1.0, 2.0, 3.0])] {
        let session = of_groups(groups).start().unwrap();
        let sums = sums_in_group::call(&session).unwrap().gather().unwrap();
        assert_eq!(sums.iter().map(|sum| sum.1).collect::<Vec<_>>(), wanted);
    }
}

#[test]
fn a_worker_that_leaves_before_a_collective_of_its_group_releases_those_that_wait() {
    let cases = [
        ("return", ErrorKind::Mismatch, "worker 3 of 4 returned after 0 collectives of its group"),
        ("panic", ErrorKind::Panic, "worker 3 of 4: global function `desert_group` panicked"),
    ];
    for (how, kind, cause) in cases {
        let session = of_groups(2).start().unwrap();
        let start = Instant::now();
        let result = desert_group::call(&session, how).unwrap();
        let error = result.get(2).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(cause), "{error}");
        if how == "panic" {
            assert_eq!(result.get(0).unwrap_err().to_string(), error.to_string());
        }
        session.recover().unwrap();
        assert_eq!(sums_in_group::call(&session).unwrap().get(0).unwrap(), (0, 1.0, 6.0));
    }
}

#[test]
fn workers_of_a_group_that_disagree_are_told_apart_and_the_session_goes_on() {
    let session = of_groups(2).start().unwrap();
    let result = desert_group::call(&session, "length").unwrap();
    assert_eq!([result.get(0).unwrap(), result.get(1).unwrap()], [2, 2]);
    for worker in [2, 3] {
        let error = result.get(worker).unwrap_err();
        let text = "in count: rank 0 has 1, rank 1 has 2";
        assert!(error.message().contains(text), "{error}");
        assert!(error.to_string().contains("split from: ranks 2, 3"), "{error}");
    }
    assert_eq!(sums_in_group::call(&session).unwrap().get(3).unwrap(), (1, 5.0, 6.0));
}
