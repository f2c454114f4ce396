//! Groups of workers of a session.
#![forbid(unsafe_code)]

use crate::kinds;
use ringwood::collective::ReduceOp;
use ringwood::device::Tensor;
use ringwood::session::{HostTensor, Session, Worker};
use ringwood::{ErrorKind, Result, global_fn};
use std::time::{Duration, Instant};

/// Sessions of each kind, of four workers in so many groups.
fn of_groups(groups: usize, test: impl Fn(Session)) {
    kinds::on_each_kind(4, |builder| test(builder.groups(groups).start().unwrap()));
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

/// A pipeline whose stages add one: the rank at its beginning, and the stages that it came through.
#[global_fn]
fn pipeline(w: &Worker, stages: usize) -> Result<Vec<f32>> {
    let mut x = w.device()?.tensor(&[w.rank() as f32, 0.0])?;
    if w.group() > 0 {
        w.recv_from_prev_group(&mut x)?;
    }
    let [start, passed] = x.to_vec::<f32>()?[..] else { unreachable!("two elements") };
    let x = w.device()?.tensor(&[start, passed + 1.0])?;
    if w.group() + 1 < stages {
        w.send_to_next_group(&x)?;
    }
    x.to_vec()
}

#[global_fn]
fn beyond_the_ends(w: &Worker) -> Result<()> {
    let mut x = w.device()?.tensor(&[1.0_f32])?;
    if w.group() == 0 { w.recv_from_prev_group(&mut x) } else { w.send_to_next_group(&x) }
}

/// What the first worker of a group has of four elements, on every worker, its part of that, all
/// parts on the first one again, and the sum of the parts there.
#[global_fn]
fn spread_in_group(w: &Worker, a: Option<Tensor>, b: Option<Tensor>) -> Result<Vec<Vec<f32>>> {
    let (device, group, own) = (w.device()?, w.in_group(), a.or(b));
    let (first, n) = (group.communicator().rank() == 0, group.communicator().size());
    let (none, room) = (device.tensor::<f32>(&[])?, || device.tensor(&[0.0_f32; 4]));
    let mut whole = own.map_or_else(room, |own| own.duplicate())?;
    group.collective("broadcast", |group| group.broadcast_tensor(&mut whole, 0))?;
    let mut part = device.tensor(&vec![0.0_f32; 4 / n])?;
    let given = if first { &whole } else { &none };
    group.collective("scatter", |group| group.scatter_tensor_into(given, &mut part, 0))?;
    let mut parts = if first { room()? } else { none.duplicate()? };
    group.collective("gather", |group| group.gather_tensor_into(&part, &mut parts, 0))?;
    let mut sum = part.duplicate()?;
    group.collective("reduce", |group| group.reduce_tensor(&mut sum, ReduceOp::Sum, 0))?;
    let sum = if first { sum } else { none };
    Ok(vec![whole.to_vec()?, part.to_vec()?, parts.to_vec()?, sum.to_vec()?])
}

#[test]
pub(crate) fn groups_are_equal_parts_in_the_order_of_the_workers_with_collectives_of_their_own() {
    of_groups(2, |session| {
        let sums = sums_in_group::call(&session).unwrap().gather().unwrap();
        assert_eq!(sums, [(0, 1.0, 6.0), (0, 1.0, 6.0), (1, 5.0, 6.0), (1, 5.0, 6.0)]);
        let handed = hand_on_in_group::call(&session).unwrap().gather().unwrap();
        assert_eq!(handed, [(0, 2, 0), (1, 2, 0), (0, 2, 0), (1, 2, 2)]);
    });
}

#[test]
pub(crate) fn one_group_is_all_workers_and_a_group_may_be_one_worker() {
    for (groups, wanted) in [(1, [6.0; 4]), (4, [0.0, 1.0, 2.0, 3.0])] {
        of_groups(groups, |session| {
            let sums = sums_in_group::call(&session).unwrap().gather().unwrap();
            assert_eq!(sums.iter().map(|sum| sum.1).collect::<Vec<_>>(), wanted);
        });
    }
}

#[test]
pub(crate) fn a_worker_that_leaves_before_a_collective_of_its_group_releases_those_that_wait() {
    let cases = [
        ("return", ErrorKind::Mismatch, "worker 3 of 4 returned after 0 collectives of its group"),
        ("panic", ErrorKind::Panic, "worker 3 of 4: global function `desert_group` panicked"),
    ];
    for (how, kind, cause) in cases {
        of_groups(2, |session| {
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
        });
    }
}

#[test]
pub(crate) fn workers_of_a_group_that_disagree_are_told_apart_and_the_session_goes_on() {
    of_groups(2, |session| {
        let result = desert_group::call(&session, "length").unwrap();
        assert_eq!([result.get(0).unwrap(), result.get(1).unwrap()], [2, 2]);
        for worker in [2, 3] {
            let error = result.get(worker).unwrap_err();
            let text = "in count: rank 0 has 1, rank 1 has 2";
            assert!(error.message().contains(text), "{error}");
            assert!(error.to_string().contains("split from: ranks 2, 3"), "{error}");
        }
        assert_eq!(sums_in_group::call(&session).unwrap().get(3).unwrap(), (1, 5.0, 6.0));
    });
}

#[test]
pub(crate) fn a_tensor_goes_from_group_to_group() {
    for (groups, starts) in [(1, [0, 1, 2, 3]), (2, [0, 1, 0, 1]), (4, [0; 4])] {
        of_groups(groups, |session| {
            let passed = pipeline::call(&session, groups).unwrap().gather().unwrap();
            for (rank, (passed, start)) in passed.into_iter().zip(starts).enumerate() {
                assert_eq!(passed, [start as f32, (rank * groups / 4 + 1) as f32]);
            }
        });
    }
}

#[test]
pub(crate) fn no_group_is_after_the_last_or_before_the_first() {
    of_groups(2, |session| {
        let result = beyond_the_ends::call(&session).unwrap();
        for (worker, text) in [
            (1, "group 0 is the first of 2 groups: there is no previous one"),
            (2, "group 1 is the last of 2 groups: there is no next one"),
        ] {
            let error = result.get(worker).unwrap_err();
            assert!(error.message().contains(text), "{error}");
        }
        assert_eq!(pipeline::call(&session, 2).unwrap().get(3).unwrap(), [1.0, 2.0]);
    });
}

#[test]
pub(crate) fn what_one_worker_of_a_group_has_is_spread_over_it_and_collected() {
    let tensor = |start: f32| HostTensor::new(&[4], &[0.0, 1.0, 2.0, 3.0].map(|x| start + x));
    of_groups(2, |session| {
        let heads = [0, 2].map(|head| {
            session.copy_to_worker(head, &tensor(head as f32 * 10.0).unwrap()).unwrap()
        });
        let spread = spread_in_group::call(&session, &heads[0], &heads[1]).unwrap();
        let of = |worker| spread.get(worker).unwrap();
        for (head, start) in [(0, 0.0), (2, 20.0)] {
            let whole = tensor(start).unwrap().to_vec::<f32>().unwrap();
            let (front, back) = whole.split_at(2);
            let sum = [2.0 * start + 2.0, 2.0 * start + 4.0];
            assert_eq!(of(head), [&whole[..], front, &whole, &sum]);
            assert_eq!(of(head + 1), [&whole[..], back, &[], &[]]);
        }
    });
}
