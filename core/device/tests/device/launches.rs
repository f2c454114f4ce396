//! Kernel calls: what runs, and what is refused.

use crate::kernels::{ADD, COUNTED, ELSEWHERE, OPAQUE, SAXPY};
use crate::{device, fails, runtime, shape, values};
use ringwood_base::{DType, ErrorKind, Result, Scalar, Shape};
use ringwood_device::device::{Buffer, Device, Kernel, LaunchArg, Tensor, launch};
use ringwood_device::kernel::Arg;

fn both() -> [Device; 2] {
    [device("toy:0"), device("shared:0")]
}

fn saxpy(a: impl Into<Scalar>, x: &Tensor, y: &mut Tensor) -> Result<()> {
    launch(&SAXPY, &[LaunchArg::Scalar(a.into()), LaunchArg::Read(x), LaunchArg::Write(y)])
}

fn add(x: &Tensor, y: &Tensor, out: &mut Tensor) -> Result<()> {
    launch(&ADD, &[LaunchArg::Read(x), LaunchArg::Read(y), LaunchArg::Write(out)])
}

#[test]
fn a_grid_kernel_runs_over_what_it_writes() {
    for device in both() {
        let x = device.tensor(&[1.0_f32; 1024]).unwrap();
        let mut y = device.tensor(&[2.0_f32; 1024]).unwrap();
        saxpy(3.0_f32, &x, &mut y).unwrap();
        saxpy(3.0_f32, &x, &mut y).unwrap();
        assert_eq!(values(&y), [8.0; 1024]);
    }
}

#[test]
fn a_map_broadcasts_its_inputs() {
    for device in both() {
        let column = device.tensor_with(&[10.0_f32, 20.0], shape(&[2, 1])).unwrap();
        let row = device.tensor(&[1.0_f32, 2.0, 3.0]).unwrap();
        let mut out = device.zeros(shape(&[2, 3]), DType::F32).unwrap();
        add(&column, &row, &mut out).unwrap();
        assert_eq!(values(&out), [11.0, 12.0, 13.0, 21.0, 22.0, 23.0]);
        let one = device.tensor_with(&[1.0_f32], Shape::scalar()).unwrap();
        let input = out.clone();
        add(&input, &one, &mut out).unwrap();
        assert_eq!(values(&out), [12.0, 13.0, 14.0, 22.0, 23.0, 24.0]);
        let error = fails(add(&row, &row, &mut column.clone()), "does not broadcast to [2, 1]");
        assert_eq!((error.kind(), error.get("kernel")), (ErrorKind::Shape, Some("add")));
    }
}

#[test]
fn an_empty_domain_is_no_launch() {
    for device in both() {
        let x = device.tensor::<f32>(&[]).unwrap();
        let mut out = device.tensor::<f32>(&[]).unwrap();
        add(&x, &x, &mut out).unwrap();
        saxpy(1.0_f32, &x, &mut out).unwrap();
        assert!(out.to_vec::<f32>().unwrap().is_empty());
    }
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let device = device("toy:0");
    let x = device.tensor(&[1.0_f32; 4]).unwrap();
    let mut y = device.tensor(&[2.0_f32; 4]).unwrap();
    fails(saxpy(3.0_f64, &x, &mut y), "`a` is f32, got f64");
    let few =
        "`saxpy` has no instance for (f32); it has (f32, f32); pass as many slices and views as";
    fails(launch(&SAXPY, &[LaunchArg::Read(&x)]), few);
    fails(launch(&SAXPY, &[LaunchArg::Scalar(1.0_f32.into())]), "no tensor argument");
    let [a, b] = [LaunchArg::Read(&x), LaunchArg::Read(&x)];
    fails(launch(&SAXPY, &[LaunchArg::Scalar(1.0_f32.into()), a, b]), "`y` is written");
    let ints = device.tensor(&[1_i64; 4]).unwrap();
    let error =
        fails(saxpy(3.0_f32, &ints, &mut y), "no instance for (i64, f32); it has (f32, f32)");
    assert_eq!(error.kind(), ErrorKind::DType);
    assert_eq!(values(&y), [2.0; 4], "the device goes on");
}

#[test]
fn tensors_on_two_devices_are_refused_by_name() {
    let runtime = runtime();
    let x = runtime.device("toy:0").unwrap().tensor(&[1.0_f32]).unwrap();
    let mut y = runtime.device("toy:1").unwrap().tensor(&[1.0_f32]).unwrap();
    let error = fails(saxpy(1.0_f32, &x, &mut y), "tensors on toy:0 and on toy:1");
    assert_eq!(error.kind(), ErrorKind::Device);
}

#[test]
fn a_kernel_missing_on_the_device_says_where_it_exists() {
    let mut x = device("toy:0").tensor(&[1.0_f32]).unwrap();
    let outcome = launch(&ELSEWHERE, &[LaunchArg::Write(&mut x)]);
    let error = fails(outcome, "no kernel `elsewhere` for device `toy:0`");
    assert_eq!(error.kind(), ErrorKind::NotFound);
    for part in ["it exists for mars, moon", "kernels.rs:1"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

#[test]
fn a_written_tensor_may_not_share_memory_unless_a_map_works_in_place() {
    let device = device("toy:0");
    let x = device.tensor(&[1.0_f32, 2.0, 3.0, 4.0]).unwrap();
    let mut out = x.clone();
    fails(saxpy(1.0_f32, &x, &mut out), "`saxpy` writes memory that argument 1 shares");
    add(&x, &x, &mut out).unwrap();
    assert_eq!(values(&x), [2.0, 4.0, 6.0, 8.0]);
    let (head, mut middle) = (x.rows(0..2).unwrap(), x.rows(1..3).unwrap());
    fails(add(&head, &head, &mut middle), "shares");
    let mut tail = x.rows(2..4).unwrap();
    add(&head, &head, &mut tail).unwrap();
    assert_eq!(values(&x), [2.0, 4.0, 4.0, 8.0]);
    let one = x.rows(0..1).unwrap();
    fails(add(&one, &one, &mut x.rows(0..2).unwrap()), "shares");
}

#[test]
fn a_kernel_is_compiled_once_for_a_device() {
    let runtime = runtime();
    for name in ["toy:0", "toy:1"] {
        let device = runtime.device(name).unwrap();
        std::thread::scope(|threads| {
            for _ in 0..3 {
                threads.spawn(|| {
                    let mut y = device.tensor(&[1.0_f32]).unwrap();
                    launch(&COUNTED, &[LaunchArg::Write(&mut y)]).unwrap();
                    launch(&COUNTED, &[LaunchArg::Write(&mut y)]).unwrap();
                });
            }
        });
    }
    assert_eq!(crate::toy::COUNTED.load(std::sync::atomic::Ordering::SeqCst), 2);
}

#[test]
fn a_kernel_that_the_device_cannot_compile_is_an_error_of_its_launch_alone() {
    let device = device("toy:0");
    let mut y = device.tensor(&[1.0_f32]).unwrap();
    for _ in 0..2 {
        let error = fails(launch(&OPAQUE, &[LaunchArg::Write(&mut y)]), "`opaque` has no native");
        assert_eq!(error.kind(), ErrorKind::Unsupported);
    }
    assert_eq!(values(&y), [1.0]);
}

#[test]
fn a_stream_runs_compiled_code_and_refuses_what_does_not_fit() {
    let device = device("toy:0");
    let code = device.code(&Kernel::new(&ADD, &ADD.instances[0])).unwrap();
    let (x, y) = (device.tensor(&[1.0_f32; 4]).unwrap(), device.tensor(&[2.0_f32; 4]).unwrap());
    let stream = device.stream().unwrap();
    let dense = |name: &str, strides| {
        let tensor = if name == "x" { &x } else { &y };
        Arg::Slice { region: tensor.region(), strides }
    };
    let run = |args: &[Arg<'_, Buffer>]| stream.launch(&code, Shape::vector(4), args);
    run(&[dense("x", None), dense("y", None), dense("y", None)]).unwrap();
    assert_eq!(values(&y), [3.0; 4]);
    let broadcast = [dense("x", None), dense("y", Some(&[0])), dense("y", None)];
    fails(run(&broadcast), "`add` writes memory that argument 1 shares");
    fails(run(&[dense("x", None)]), "`add` takes 3 arguments (x, y, out), got 1");
    let scalar = Arg::Scalar(Scalar::F32(1.0));
    fails(run(&[dense("x", None), scalar, dense("y", None)]), "`y` is &[f32], got a scalar");
    let mut odd = x.region();
    odd.bytes = 3;
    let odd = Arg::Slice { region: odd, strides: None };
    fails(run(&[odd, dense("x", None), dense("y", None)]), "whole number of f32");
    let mut far = y.region();
    far.offset = usize::MAX - 3;
    let far = Arg::Slice { region: far, strides: None };
    fails(run(&[dense("x", None), far, dense("y", None)]), "leave a buffer of 16 bytes");
    assert_eq!(values(&y), [3.0; 4]);
}
