//! Groups whose ranks have their elements on devices, of one backend or of several.

use crate::algorithms;
use crate::devices::{cpu, device, runtime};
use ringwood::collective::transport::Buffers;
use ringwood::collective::{Communicator, Invocation, Operation, ReduceOp, Tensors, spmd};
use ringwood::device::{Device, Tensor};
use ringwood::prelude::*;
use ringwood::{DType, Element, ErrorKind, Shape};
use std::sync::Barrier;
use std::time::{Duration, Instant};

/// Exists for one backend only.
#[kernel(map, device = cpu)]
fn only_here(a: f32, b: f32) -> f32 {
    a.max(b)
}

/// `x += 1`
#[kernel(device = [cpu, opencl, cuda])]
fn bump(x: &mut [f32]) {
    let i = gid(0);
    x[i] += 1.0;
}

#[kernel(host, device = cpu)]
fn breaks(x: &mut [f32]) {
    std::thread::sleep(Duration::from_millis(30));
    assert!(x.is_empty(), "the chip melted");
}

fn opencl() -> Option<Device> {
    device(&runtime(), "opencl:0")
}

fn cuda() -> Option<Device> {
    device(&runtime(), "cuda:0")
}

fn value(rank: usize, i: usize) -> f64 {
    ((rank * 7919 + i * 104_729) % 2003) as f64 / 37.0 - 25.0
}

fn input<T: Element>(rank: usize, count: usize, number: fn(f64) -> T) -> Vec<T> {
    (0..count).map(|i| number(value(rank, i))).collect()
}

/// Reduces on `devices`, one for each rank, and on the host: the bits must be the same.
fn compare<T: Element>(
    devices: &[Device],
    counts: &[usize],
    number: fn(f64) -> T,
    ops: &[ReduceOp],
) {
    let n = devices.len();
    let run = |comm: &Communicator| {
        for name in algorithms(Operation::AllReduce, n) {
            for (&count, &op) in counts.iter().flat_map(|c| ops.iter().map(move |op| (c, op))) {
                let mut expected = input(comm.rank(), count, number);
                let mut tensor = devices[comm.rank()].tensor(&expected)?;
                comm.with(&name).all_reduce(&mut expected, op)?;
                comm.with(&name).all_reduce_tensor(&mut tensor, op)?;
                let got = tensor.to_vec::<T>()?;
                let names: Vec<_> = devices.iter().map(Device::name).collect();
                assert!(got == expected, "{op} of {count} {} by {name} on {names:?}", T::DTYPE);
            }
        }
        Ok(())
    };
    spmd(n, run).unwrap();
}

fn everything(devices: &[Device]) {
    use ReduceOp::{Max, Mean, Min, Prod, ReproducibleSum, Sum};
    let n = devices.len();
    let counts = [0, 1, n, n + 1, 257];
    compare(devices, &counts, |v| v as f32, &[Sum, Prod, Min, Max, Mean, ReproducibleSum]);
    compare(devices, &[5, 129], |v| v, &[Sum, Mean, ReproducibleSum]);
    compare(devices, &[5, 129], |v| v as i32, &[Sum, Max, Mean]);
    compare(devices, &[5, 129], |v| v as i64, &[Sum]);
    compare(devices, &[1, 6, 129], half::f16::from_f64, &[Sum, Mean]);
    compare(devices, &[1, 6, 129], half::bf16::from_f64, &[Sum, Max]);
}

/// The elements of input and output of a rank, for blocks of `e` elements.
fn lengths(what: &Invocation<'_>, n: usize, rank: usize, e: usize) -> [usize; 2] {
    let at_root = if rank == what.root { n * e } else { 0 };
    match what.operation {
        Operation::AllGather => [e, n * e],
        Operation::Gather => [e, at_root],
        Operation::Scatter => [at_root, e],
        Operation::ReduceScatter => [n * e, e],
        Operation::AllToAll => [n * e, n * e],
        Operation::Reduce => [e, if rank == what.root { e } else { 0 }],
        _ => [e, e],
    }
}

/// Runs an operation out of place on `devices` and on the host, by every algorithm.
fn compare_apart<T: Element + bytemuck::Pod>(
    devices: &[Device],
    what: &Invocation<'_>,
    number: fn(f64) -> T,
) {
    let n = devices.len();
    let run = |comm: &Communicator| {
        for name in algorithms(what.operation, n) {
            // Some algorithms move blocks of equal sizes only.
            for e in [0, 1, 6 * n, 64 * n] {
                let rank = comm.rank();
                let [contributed, got] = lengths(what, n, rank, e);
                let input = input(rank, contributed, number);
                let mut expected = vec![T::default(); got];
                let buffers = Buffers::Apart {
                    input: bytemuck::cast_slice(&input),
                    output: bytemuck::cast_slice_mut(&mut expected),
                };
                let on_host = comm.with(&name).run(what, buffers);
                let given = devices[rank].tensor(&input)?;
                let mut output = devices[rank].tensor(&vec![T::default(); got])?;
                let tensors = Tensors::Apart { input: &given, output: &mut output };
                let on_devices = comm.with(&name).run_tensors(what, tensors);
                match (on_host, on_devices) {
                    (Ok(()), Ok(())) => {
                        let got = output.to_vec::<T>()?;
                        assert!(got == expected, "{what:?} of {e} by {name} on {devices:?}");
                    }
                    (Err(host), Err(device)) => assert_eq!(host.message(), device.message()),
                    (host, device) => panic!("{name} of {e}: {host:?} but {device:?}"),
                }
            }
        }
        Ok(())
    };
    spmd(n, run).unwrap();
}

fn every_operation(devices: &[Device]) {
    let n = devices.len();
    let shifted: Vec<usize> = (0..n).map(|rank| (rank + 1) % n).collect();
    let what = |operation| Invocation::new(operation, DType::F32);
    for operation in [Operation::AllGather, Operation::AllToAll] {
        compare_apart(devices, &what(operation), |v| v as f32);
    }
    for root in [0, n - 1] {
        for operation in [Operation::Broadcast, Operation::Gather, Operation::Scatter] {
            compare_apart(devices, &what(operation).root(root), |v| v as f32);
        }
        let reduce = what(Operation::Reduce).root(root);
        compare_apart(devices, &reduce.clone().reduce(ReduceOp::Sum), |v| v as f32);
        compare_apart(devices, &reduce.reduce(ReduceOp::ReproducibleSum), |v| v as f32);
    }
    compare_apart(devices, &what(Operation::Permute).permutation(&shifted), |v| v as f32);
    let scatter = what(Operation::ReduceScatter);
    compare_apart(devices, &scatter.clone().reduce(ReduceOp::Mean), |v| v as f32);
    let halves = Invocation { dtype: DType::BF16, ..scatter };
    compare_apart(devices, &halves.reduce(ReduceOp::Sum), half::bf16::from_f64);
}

#[test]
fn ranks_whose_tensors_have_different_shapes_are_named_on_every_rank() {
    let device = Device::named("cpu:0").unwrap();
    let texts = spmd(3, |comm| {
        let shape: &[usize] = if comm.rank() == 1 { &[3, 2] } else { &[2, 3] };
        let mut x = device.tensor_with(&[1.0_f32; 6], Shape::new(shape)?)?;
        let error = comm.all_reduce_tensor(&mut x, ReduceOp::Sum).unwrap_err();
        assert_eq!(x.to_vec::<f32>()?, [1.0; 6], "no data moved");
        let mut alike = device.tensor_with(&[1.0_f32; 6], Shape::new(&[3, 2])?)?;
        comm.all_reduce_tensor(&mut alike, ReduceOp::Sum)?;
        Ok(error.to_string())
    });
    for text in texts.unwrap() {
        assert!(text.contains("in shape: ranks 0, 2 have [2, 3], rank 1 has [3, 2]"), "{text}");
    }
}

#[test]
fn every_operation_gives_the_bits_of_the_host() {
    let shared = Device::named("cpu:0").unwrap();
    for n in [1, 2, 3, 4] {
        every_operation(&vec![shared.clone(); n]);
    }
    every_operation(&[cpu(), cpu(), shared]);
}

#[test]
fn every_operation_runs_in_mixed_groups() {
    let Some(device) = opencl() else { return };
    let shared = Device::named("cpu:0").unwrap();
    every_operation(&[shared.clone(), device.clone()]);
    every_operation(&[device.clone(), cpu(), device, shared]);
}

#[test]
fn operations_have_methods_of_their_own() {
    let devices = [cpu(), cpu(), cpu()];
    spmd(3, |comm| {
        let (rank, device) = (comm.rank(), &devices[comm.rank()]);
        let row = |tensor: &Tensor| tensor.to_vec::<i32>();
        let own = device.tensor(&[rank as i32; 2])?;
        let mut all = device.tensor(&[9_i32; 6])?;
        comm.all_gather_tensor_into(&own, &mut all)?;
        assert_eq!(row(&all)?, [0, 0, 1, 1, 2, 2]);
        let mut sum = device.tensor(&[0_i32; 2])?;
        comm.reduce_scatter_tensor_into(&all, &mut sum, ReduceOp::Sum)?;
        assert_eq!(row(&sum)?, [3 * rank as i32; 2]);
        let mut sent = device.tensor(&[9_i32; 6])?;
        comm.all_to_all_tensor_into(&all, &mut sent)?;
        assert_eq!(row(&sent)?, vec![rank as i32; 6]);
        comm.broadcast_tensor(&mut sum, 2)?;
        assert_eq!(row(&sum)?, [6; 2]);
        let mut moved = own.duplicate()?;
        comm.permute_tensor(&mut moved, &[1, 2, 0])?;
        assert_eq!(row(&moved)?, [(rank as i32 + 2) % 3; 2]);
        comm.reduce_tensor(&mut moved, ReduceOp::Max, 1)?;
        assert!(rank != 1 || row(&moved)? == [2; 2]);
        let at_root = |tensor: Tensor| tensor.rows(0..if rank == 0 { 6 } else { 0 });
        let mut gathered = at_root(device.tensor(&[9_i32; 6])?)?;
        comm.gather_tensor_into(&own, &mut gathered, 0)?;
        assert!(rank != 0 || row(&gathered)? == [0, 0, 1, 1, 2, 2]);
        let mut back = device.tensor(&[9_i32; 2])?;
        comm.scatter_tensor_into(&gathered, &mut back, 0)?;
        assert_eq!(row(&back)?, row(&own)?);
        Ok(())
    })
    .unwrap();
}

#[test]
fn an_input_and_an_output_that_do_not_go_together_are_refused() {
    let (device, other) = (cpu(), cpu());
    let errors = spmd(1, |comm| {
        let a = device.tensor(&[1.0_f32; 4])?;
        let refused =
            |mut output: Tensor| comm.all_gather_tensor_into(&a, &mut output).unwrap_err();
        let wide = device.tensor(&[1.0_f64; 4])?;
        let call = Invocation::new(Operation::AllReduce, DType::F64).reduce(ReduceOp::Sum);
        let other_type = comm.call().run_tensors(&call, Tensors::InPlace(&mut a.clone()));
        assert!(other_type.unwrap_err().message().contains("the call is on f64 elements"));
        Ok([refused(a.clone()), refused(other.tensor(&[1.0_f32; 4])?), refused(wide)])
    });
    let [shared, device, dtype] = &errors.unwrap()[0];
    assert!(shared.message().contains("share memory"), "{shared}");
    assert_eq!((device.kind(), dtype.kind()), (ErrorKind::Device, ErrorKind::DType));
}

#[test]
fn processors_give_the_bits_of_the_host() {
    let shared = Device::named("cpu:0").unwrap();
    for n in [1, 2, 3, 4, 5, 8] {
        everything(&vec![shared.clone(); n]);
    }
    everything(&[cpu(), cpu(), shared.clone(), shared]);
}

#[test]
fn opencl_devices_give_the_bits_of_the_host() {
    let Some(device) = opencl() else { return };
    for n in [1, 2, 3, 4] {
        everything(&vec![device.clone(); n]);
    }
}

#[test]
fn cuda_devices_give_the_bits_of_the_host_alone_and_beside_processors() {
    let Some(device) = cuda() else { return };
    for n in [1, 2, 3, 4] {
        everything(&vec![device.clone(); n]);
    }
    everything(&[device.clone(), cpu(), device.clone()]);
    every_operation(&[device.clone(), cpu(), device.clone()]);
    ordered(&[cpu(), device.clone(), device]);
}

#[test]
fn mixed_groups_give_the_bits_of_the_host() {
    let Some(device) = opencl() else { return };
    let shared = Device::named("cpu:0").unwrap();
    everything(&[shared.clone(), device.clone()]);
    everything(&[device.clone(), shared.clone(), device.clone()]);
    everything(&[shared.clone(), device.clone(), cpu(), device, shared]);
}

/// Calls on tensors that other work writes and reads, on streams of random delays.
fn ordered(devices: &[Device]) {
    let n = devices.len();
    let rounds = spmd(n, |comm| {
        let device = &devices[comm.rank()];
        let kind = if device.backend_name() == "cpu" { "chaos:7" } else { "" };
        device.new_stream(kind)?.scope(|| {
            let mut tensor = device.tensor(&vec![comm.rank() as f32; 300])?;
            for round in 0..20 {
                bump(&mut tensor)?;
                comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum)?;
                bump(&mut tensor)?;
                let sum: usize = (0..n).map(|rank| rank + round + 1).sum();
                assert_eq!(tensor.to_vec::<f32>()?, vec![(sum + 1) as f32; 300], "round {round}");
                tensor.write(&vec![(comm.rank() + round + 1) as f32; 300])?;
            }
            Ok(())
        })
    });
    rounds.unwrap();
}

#[test]
fn work_before_and_after_a_call_is_ordered_by_its_streams() {
    let shared = Device::named("cpu:0").unwrap();
    ordered(&[shared.clone(), shared.clone(), shared.clone()]);
    ordered(&[cpu(), cpu()]);
    if let Some(device) = opencl() {
        ordered(&[shared, device.clone(), device, cpu()]);
    }
}

#[test]
fn parts_of_tensors_are_reduced_in_place() {
    let devices = [cpu(), cpu(), Device::named("cpu:0").unwrap()];
    spmd(3, |comm| {
        let device = &devices[comm.rank()];
        let halves: Vec<half::bf16> = (0..15).map(|i| half::bf16::from_f32(i as f32)).collect();
        let whole = device.tensor_with(&halves, Shape::new(&[5, 3])?)?;
        comm.all_reduce_tensor(&mut whole.rows(1..4)?, ReduceOp::Sum)?;
        comm.all_reduce_tensor(&mut whole.rows(2..5)?, ReduceOp::Sum)?;
        let got: Vec<f32> = whole.to_vec::<half::bf16>()?.into_iter().map(f32::from).collect();
        let times = |i: usize| [1.0, 3.0, 9.0, 9.0, 3.0][i / 3];
        assert_eq!(got, (0..15).map(|i| i as f32 * times(i)).collect::<Vec<_>>());
        Ok(())
    })
    .unwrap();
}

#[test]
fn a_kernel_that_one_backend_lacks_is_named_on_every_rank_before_data_moves() {
    let Some(device) = opencl() else { return };
    let devices = [cpu(), device, cpu()];
    let errors = spmd(3, |comm| {
        let mut tensor = devices[comm.rank()].tensor(&[comm.rank() as f32; 9])?;
        let error = comm.all_reduce_tensor(&mut tensor, ReduceOp::Kernel("only_here")).unwrap_err();
        assert_eq!(tensor.to_vec::<f32>()?, [comm.rank() as f32; 9]);
        comm.all_reduce_tensor(&mut tensor, ReduceOp::Max)?;
        assert_eq!(tensor.to_vec::<f32>()?, [2.0; 9]);
        Ok(error)
    });
    let errors = errors.unwrap();
    for error in &errors {
        assert_eq!(error.to_string(), errors[0].to_string());
        assert!(error.message().contains("no kernel `only_here` for device `opencl`"), "{error}");
        assert_eq!((error.get("rank"), error.get("device")), (Some("1"), Some("opencl:0")));
    }
}

#[test]
fn two_ranks_on_the_same_memory_are_refused() {
    let tensor = cpu().tensor(&[1.0_f32; 6]).unwrap();
    let errors = spmd(3, |comm| {
        let from = [0, 2, 3][comm.rank()];
        let mut part = tensor.rows(from..from + 2)?;
        Ok(comm.all_reduce_tensor(&mut part, ReduceOp::Sum).unwrap_err())
    });
    for error in errors.unwrap() {
        assert!(error.message().contains("bring the same memory"), "{error}");
    }
    assert_eq!(tensor.to_vec::<f32>().unwrap(), [1.0; 6]);
    // Parts of one buffer that share no element are fine.
    spmd(3, |comm| {
        let mut part = tensor.rows(2 * comm.rank()..2 * comm.rank() + 2)?;
        comm.all_reduce_tensor(&mut part, ReduceOp::Sum)
    })
    .unwrap();
    assert_eq!(tensor.to_vec::<f32>().unwrap(), [3.0; 6]);
}

#[test]
fn a_call_on_the_host_does_not_meet_one_on_a_device() {
    let devices = [cpu(), cpu()];
    let errors = spmd(2, |comm| {
        let mut tensor = devices[comm.rank()].tensor(&[1.0_f32; 4])?;
        let error = match comm.rank() {
            0 => comm.all_reduce(&mut [1.0_f32; 4], ReduceOp::Sum).unwrap_err(),
            _ => comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum).unwrap_err(),
        };
        comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum)?;
        assert_eq!(tensor.to_vec::<f32>()?, [2.0; 4]);
        Ok(error)
    });
    for error in errors.unwrap() {
        assert_eq!(error.kind(), ErrorKind::Mismatch);
        assert!(
            error.message().contains("in memory: rank 0 has host, rank 1 has devices"),
            "{error}"
        );
    }
}

#[test]
fn a_device_that_fails_in_the_middle_fails_every_rank_with_one_error() {
    for n in [2, 3, 5] {
        let broken = Barrier::new(2);
        let errors = spmd(n, |comm| {
            let mut tensor = cpu().tensor(&[1.0_f32; 1000])?;
            // Now the plan is there: its rank comes to the next call before the work has failed.
            comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum)?;
            let mut same = tensor.clone();
            let first = std::thread::scope(|scope| {
                match comm.rank() {
                    // The others wait for it, each with a tensor that is there.
                    0 => drop(broken.wait()),
                    1 => {
                        scope.spawn(|| {
                            std::thread::sleep(Duration::from_millis(200));
                            let launched = breaks::launch(&mut same);
                            broken.wait();
                            launched.unwrap();
                        });
                    }
                    _ => {}
                }
                comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum).unwrap_err()
            });
            let again = comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum).unwrap_err();
            assert_eq!(first.to_string(), again.to_string());
            assert_eq!(first.get("refused by"), None, "{first}");
            Ok(first.to_string())
        })
        .unwrap();
        assert!(errors[0].contains("the chip melted"), "{}", errors[0]);
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    }
}

#[test]
fn a_tensor_whose_work_failed_is_refused_by_its_rank_and_the_group_goes_on() {
    for n in [2, 3, 5] {
        let errors = spmd(n, |comm| {
            let mut tensor = cpu().tensor(&[1.0_f32; 1000])?;
            if comm.rank() == 1 {
                breaks::launch(&mut tensor)?;
            }
            let error = comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum).unwrap_err();
            let mut fine = cpu().tensor(&[1.0_f32; 1000])?;
            comm.all_reduce_tensor(&mut fine, ReduceOp::Sum)?;
            assert_eq!(fine.to_vec::<f32>()?, [n as f32; 1000]);
            Ok(error)
        })
        .unwrap();
        for error in errors {
            assert_eq!(error.get("refused by"), Some("rank 1"), "{error}");
            assert!(error.message().contains("the chip melted"), "{error}");
        }
    }
}

#[test]
fn a_rank_that_never_comes_is_a_timeout_and_one_that_panics_is_named() {
    let devices = [cpu(), cpu()];
    let (ended, start) = (Barrier::new(2), Instant::now());
    let error = spmd(2, |comm| {
        let mut tensor = devices[comm.rank()].tensor(&[1.0_f32; 4])?;
        let call = comm.call().timeout(Duration::from_millis(50));
        let outcome = match comm.rank() {
            0 => call.all_reduce_tensor(&mut tensor, ReduceOp::Sum),
            _ => Ok(()),
        };
        ended.wait();
        outcome
    });
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Timeout);
    // The call's own time, not that of the group.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let error = spmd(2, |comm| {
        let mut tensor = devices[comm.rank()].tensor(&[1.0_f32; 4])?;
        assert!(comm.rank() != 1, "no idea");
        comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum)
    });
    assert!(error.unwrap_err().to_string().contains("rank 1 of 2 panicked: no idea"));
}
