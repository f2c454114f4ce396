//! Sessions whose workers have devices: one suite for functions that were discovered and for
//! functions registered by hand.
#![forbid(unsafe_code)]

use crate::kinds::on_each_kind;
use ringwood::backend::Registered;
use ringwood::collective::{Order, ReduceOp};
use ringwood::device::{Runtime, Tensor};
use ringwood::registry::{Registry, RegistryBuilder};
use ringwood::session::{HostTensor, Session, SessionBuilder, Value, Worker};
use ringwood::{ErrorKind, Result, global_fn, kernel};
use ringwood_backend_cpu::Cpu;
use ringwood_backend_null::Null;
use std::time::{Duration, Instant};

/// The rank of a worker and the name of its device.
#[global_fn]
fn place(w: &Worker) -> Result<(usize, String)> {
    Ok((w.rank(), w.device()?.name().to_owned()))
}

/// The number of rows and the sum of all elements.
#[global_fn]
fn measure(rows: Tensor) -> Result<(usize, f32)> {
    Ok((rows.shape()[0], rows.to_vec::<f32>()?.iter().sum()))
}

/// The sum of all elements, on a worker that has some.
#[global_fn]
fn measure_if_any(tensor: Option<Tensor>) -> Result<Option<f32>> {
    tensor.map(|tensor| Ok(tensor.to_vec::<f32>()?.iter().sum())).transpose()
}

/// Adds the rank to every element, in place.
#[global_fn]
fn shift(w: &Worker, mut tensor: Tensor) -> Result<Tensor> {
    let shifted: Vec<f32> = tensor.to_vec::<f32>()?.iter().map(|x| x + w.rank() as f32).collect();
    tensor.write(&shifted)?;
    Ok(tensor)
}

/// Whether a tensor lives on the worker's own device.
#[global_fn]
fn is_at_home(w: &Worker, tensor: Tensor) -> Result<bool> {
    Ok(tensor.device() == w.device()?)
}

/// Tensors as they come, off the device.
#[global_fn]
fn double(tensor: HostTensor) -> Result<HostTensor> {
    let doubled: Vec<f32> = tensor.to_vec::<f32>()?.iter().map(|x| x * 2.0).collect();
    HostTensor::new(&tensor.shape(), &doubled)
}

/// Rows that are longer on later workers.
#[global_fn]
fn wider(w: &Worker) -> Result<HostTensor> {
    HostTensor::new(&[1, 2 + w.rank()], &vec![0.0_f32; 2 + w.rank()])
}

/// Hands the rank to the next worker and gets that of the one before, in turns.
#[global_fn]
fn hand_round(w: &Worker) -> Result<f64> {
    let (rank, n) = (w.rank(), w.size());
    let (mut got, mine) = ([0.0_f64], [rank as f64]);
    if rank % 2 == 0 && rank + 1 < n {
        w.send(&mine, rank + 1)?;
        w.recv(&mut got, rank + 1)?;
    } else if rank % 2 == 1 {
        w.recv(&mut got, rank - 1)?;
        w.send(&mine, rank - 1)?;
    }
    Ok(got[0])
}

/// The sum over all workers of `[rank, 1]`, by each way to ask for it.
#[global_fn]
fn sums(w: &Worker) -> Result<(Vec<f32>, Vec<i64>)> {
    let mine = w.device()?.tensor(&[w.rank() as f32, 1.0])?;
    let mut integers = [w.rank() as i64, 1];
    w.all_reduce(&mut integers, ReduceOp::Sum)?;
    let mut tensor = mine.duplicate()?;
    w.all_reduce_tensor(&mut tensor, ReduceOp::Sum)?;
    assert_eq!(mine.to_vec::<f32>()?, [w.rank() as f32, 1.0]);
    Ok((tensor.to_vec()?, integers.to_vec()))
}

/// The bits of an all-reduce in the order of the ranks: of elements, of a tensor, and in the worker's group.
#[global_fn]
fn bits(w: &Worker) -> Result<Vec<f32>> {
    let mine: Vec<f32> = (1..1000).map(|i| 1.0 / (i * (w.rank() + 3)) as f32).collect();
    let (mut all, mut part) = (mine.clone(), mine.clone());
    let mut tensor = w.device()?.tensor(&mine)?;
    w.collective("all_reduce", |ranks| {
        ranks.call().order(Order::Linear).all_reduce(&mut all, ReduceOp::Sum)
    })?;
    w.collective("all_reduce", |ranks| {
        ranks.call().order(Order::Linear).all_reduce_tensor(&mut tensor, ReduceOp::Sum)
    })?;
    w.in_group().all_reduce(&mut part, ReduceOp::Sum)?;
    assert_eq!(all, tensor.to_vec::<f32>()?);
    Ok([all, part].concat())
}

/// All-reduces with an algorithm by name.
#[global_fn]
fn sum_with(w: &Worker, algorithm: String) -> Result<f64> {
    let mut data = [1.0_f64];
    w.collective("all_reduce", |group| {
        group.with(&algorithm).all_reduce(&mut data, ReduceOp::Sum)
    })?;
    Ok(data[0])
}

/// A kernel that panics on request.
#[kernel(host, device = cpu)]
fn fragile(x: &[f32], y: &mut [f32]) {
    assert!(x[0] < 2.0, "too much");
    y[0] = x[0];
}

/// Submits the kernel and does not wait for it.
#[global_fn]
fn submit_fragile(w: &Worker, x: f32) -> Result<Tensor> {
    let device = w.device()?;
    let (x, mut y) = (device.tensor(&[x + w.rank() as f32])?, device.tensor(&[0.0_f32])?);
    fragile::launch(&x, &mut y)?;
    Ok(y)
}

/// All-reduces what the kernel writes; on the last of three workers it panics for 0.
#[global_fn]
fn sum_fragile(w: &Worker, x: f32) -> Result<f32> {
    let mut y = submit_fragile(w, x)?;
    w.with("ring").all_reduce_tensor(&mut y, ReduceOp::Sum)?;
    y.item()
}

fn by_hand() -> Registry {
    let entries = [
        place::ENTRY,
        measure::ENTRY,
        measure_if_any::ENTRY,
        shift::ENTRY,
        is_at_home::ENTRY,
        double::ENTRY,
        wider::ENTRY,
        hand_round::ENTRY,
        sums::ENTRY,
        sum_with::ENTRY,
        submit_fragile::ENTRY,
        sum_fragile::ENTRY,
        fragile::ENTRY,
        Cpu::ENTRY,
        Null::ENTRY,
        ringwood_collectives::all_reduce::entries::ring::ENTRY,
    ];
    let entries = entries.into_iter().chain(ringwood_kernels::ENTRIES.iter().cloned());
    entries.fold(Registry::builder(), RegistryBuilder::register).build().unwrap()
}

/// Runs a test with discovered functions, on sessions of each kind, and with functions registered by hand.
fn both_ways(test: impl Fn(SessionBuilder)) {
    on_each_kind(3, &test);
    test(Session::builder().workers(3).runtime(&Runtime::new(by_hand())));
}

fn rows(n: usize) -> HostTensor {
    let elements: Vec<f32> = (0..2 * n).map(|i| i as f32).collect();
    HostTensor::new(&[n, 2], &elements).unwrap()
}

#[test]
fn every_transport_gives_the_bits_of_the_usual_one() {
    let start = |kind, transport: Option<&str>| {
        let arguments = ["kinds::worker", "--exact", "--ignored", "--nocapture"];
        let builder = Session::builder().workers(4).groups(2).kind(kind);
        let builder = builder.program_arguments(arguments).output(|_, _, _| ());
        transport.into_iter().fold(builder, SessionBuilder::transport).start()
    };
    let of =
        |kind, transport| bits::call(&start(kind, transport).unwrap()).unwrap().gather().unwrap();
    let usual = of("threads", None);
    for kind in ["threads", "processes"] {
        for transport in [None, Some("arena"), Some("socket")] {
            assert_eq!(of(kind, transport), usual, "{kind} over {transport:?}");
        }
        let error = start(kind, Some("pigeon")).unwrap_err().to_string();
        assert!(error.starts_with("no transport `pigeon`; registered: arena, "), "{error}");
    }
}

#[test]
fn every_worker_has_a_device_and_named_ones_are_dealt_out_in_turn() {
    both_ways(|builder| {
        let session = builder.clone().start().unwrap();
        let places = place::call(&session).unwrap().gather().unwrap();
        assert_eq!(places, [0, 1, 2].map(|rank| (rank, "cpu:0".to_owned())));
        let session = builder.clone().devices(["cpu:0", "cpu"]).start().unwrap();
        assert_eq!(place::call(&session).unwrap().get(2).unwrap(), (2, "cpu:0".to_owned()));
        let error = builder.devices(["cpu:0", "null:0"]).start().unwrap_err().to_string();
        assert!(error.starts_with("worker 1 of 3: null: `stream` is not supported"), "{error}");
    });
}

#[test]
pub(crate) fn a_broadcast_tensor_is_on_every_workers_own_device() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let tensor = session.broadcast(&rows(2)).unwrap();
        assert_eq!(measure::call(&session, &tensor).unwrap().gather().unwrap(), [(2, 6.0); 3]);
        assert_eq!(is_at_home::call(&session, &tensor).unwrap().gather().unwrap(), [true; 3]);
    });
}

#[test]
pub(crate) fn a_tensor_is_copied_to_one_worker_and_back() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        for worker in [0, 2] {
            let copy = session.copy_to_worker(worker, &rows(2)).unwrap();
            assert_eq!(copy.typed::<HostTensor>().get(worker).unwrap(), rows(2));
            let sums = measure_if_any::call(&session, &copy).unwrap().gather().unwrap();
            assert_eq!(sums, [0, 1, 2].map(|rank| (rank == worker).then_some(6.0)));
            assert_eq!(copy.get(1).unwrap().map(drop), None);
        }
        let error = session.copy_to_worker(3, &rows(2)).unwrap_err().to_string();
        assert_eq!(error, "no worker 3; the session has 3");
    });
}

#[test]
pub(crate) fn scattered_rows_keep_their_order_and_come_back_whole() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let parts = session.scatter(&rows(7)).unwrap();
        let sizes = measure::call(&session, &parts).unwrap().gather().unwrap();
        assert_eq!(sizes.iter().map(|(rows, _)| *rows).collect::<Vec<_>>(), [3, 2, 2]);
        assert_eq!(session.gather(&parts).unwrap(), rows(7));
    });
}

#[test]
pub(crate) fn a_tensor_that_was_fetched_does_not_change_with_the_worker() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let tensor = session.broadcast(&rows(1)).unwrap();
        let before = tensor.get(2).unwrap();
        shift::call(&session, &tensor).unwrap().wait().unwrap();
        assert_eq!(before.to_vec::<f32>().unwrap(), [0.0, 1.0]);
        assert_eq!(tensor.get(2).unwrap().to_vec::<f32>().unwrap(), [2.0, 3.0]);
    });
}

#[test]
fn a_host_tensor_is_an_argument_and_a_result() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let doubled = double::call(&session, rows(1)).unwrap();
        assert_eq!(doubled.get(0).unwrap().to_vec::<f32>().unwrap(), [0.0, 2.0]);
        assert_eq!(measure::call(&session, &rows(1)).unwrap().get(1).unwrap(), (1, 1.0));
        let sums = session.call("measure", (&doubled,)).unwrap();
        assert_eq!(sums.typed::<(usize, f32)>().get(0).unwrap(), (1, 2.0));
    });
}

#[test]
fn a_tensor_of_the_controller_is_not_an_argument() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let tensor = session.broadcast(&rows(1)).unwrap().get(0).unwrap();
        let error = measure::call(&session, tensor).unwrap_err().to_string();
        assert!(error.contains("put it on the workers with `broadcast` or `scatter`"), "{error}");
    });
}

#[test]
fn parts_that_do_not_fit_together_are_not_gathered() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let parts = wider::call(&session).unwrap();
        let error = session.gather(&parts.typed()).unwrap_err().to_string();
        assert!(error.contains("cannot join the rows of"), "{error}");
    });
}

#[test]
pub(crate) fn messages_between_two_workers_leave_the_others_alone() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        for _ in 0..30 {
            let got = hand_round::call(&session).unwrap();
            assert_eq!(got.gather().unwrap(), [1.0, 0.0, 0.0]);
        }
    });
}

#[test]
fn a_register_keeps_shape_and_type_when_it_is_set_for_debugging() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let parts = session.scatter(&rows(3)).unwrap();
        let other = HostTensor::new(&[1, 3], &[0.0_f32; 3]).unwrap();
        let set = |value| session.debug_set(&parts.typed(), 1, value);
        let error = set(Value::Host(other)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Shape);
        assert!(error.message().contains("cannot replace"), "{error}");
        assert!(set(Value::Int(3)).is_err());
        let before = session.gather(&parts).unwrap();
        assert_eq!(before, rows(3));
    });
}

#[test]
fn empty_tensors_travel() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let empty = HostTensor::new::<f32>(&[3, 0], &[]).unwrap();
        assert_eq!(session.gather(&session.scatter(&empty).unwrap()).unwrap(), empty);
    });
}

#[test]
fn every_worker_gets_the_merge_of_all() {
    both_ways(|builder| {
        for workers in [1, 2, 3, 8] {
            let session = builder.clone().workers(workers).start().unwrap();
            let total = (workers * (workers - 1) / 2) as f32;
            let expected = (vec![total, workers as f32], vec![total as i64, workers as i64]);
            assert_eq!(sums::call(&session).unwrap().gather().unwrap(), vec![expected; workers]);
        }
    });
}

#[test]
fn many_more_workers_than_cores_reduce_on_delayed_streams() {
    let session = Session::builder().workers(64).stream_kind("chaos:7").start().unwrap();
    for (floats, ..) in sums::call(&session).unwrap().gather().unwrap() {
        assert_eq!(floats, [2016.0, 64.0]);
    }
}

#[test]
fn an_algorithm_is_insisted_on_by_name() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let sum = sum_with::call(&session, "ring").unwrap();
        assert_eq!(sum.gather().unwrap(), [3.0; 3]);
        let error = sum_with::call(&session, "rnig").unwrap().get(1).unwrap_err().to_string();
        assert!(error.contains("no collective `rnig`"), "{error}");
        assert_eq!(sum_with::call(&session, "ring").unwrap().gather().unwrap(), [3.0; 3]);
    });
}

#[test]
fn a_kernel_that_panics_fails_what_it_writes_and_the_worker_goes_on() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let result = submit_fragile::call(&session, 0.0).unwrap();
        assert_eq!(result.get(1).unwrap().to_vec::<f32>().unwrap(), [1.0]);
        let error = result.get(2).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Panic);
        assert!(error.message().starts_with("worker 2 of 3"), "{error}");
        assert!(error.message().contains("too much"), "{error}");
        session.sync().unwrap();
        let fine = session.gather(&submit_fragile::call(&session, -1.0).unwrap()).unwrap();
        assert_eq!(fine.to_vec::<f32>().unwrap(), [-1.0, 0.0, 1.0]);
    });
}

#[test]
fn the_failure_of_unread_work_is_reported_by_the_next_sync_once() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        let unread = submit_fragile::call(&session, 0.0).unwrap();
        let error = session.sync().unwrap_err();
        assert!(error.message().contains("too much"), "{error}");
        session.sync().unwrap();
        drop(unread);
    });
}

#[test]
pub(crate) fn a_kernel_that_panics_before_an_all_reduce_releases_the_workers_that_wait_in_it() {
    both_ways(|builder| {
        let session = builder.start().unwrap();
        assert_eq!(sum_fragile::call(&session, -1.0).unwrap().gather().unwrap(), [0.0; 3]);
        let start = Instant::now();
        let error = sum_fragile::call(&session, 0.0).unwrap().get(0).unwrap_err();
        assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        assert_eq!(error.kind(), ErrorKind::Panic);
        let cause = "worker 2 of 3: global function `sum_fragile` failed: ";
        assert!(error.message().starts_with(cause), "{error}");
        assert!(error.message().contains("too much"), "{error}");
        session.recover().unwrap();
        assert_eq!(sum_fragile::call(&session, -1.0).unwrap().gather().unwrap(), [0.0; 3]);
    });
}
