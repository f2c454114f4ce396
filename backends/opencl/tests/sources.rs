//! Kernels written by hand in OpenCL C: what they compute, and what is wrong with them.

#[path = "support/written.rs"]
mod written;

mod support;

use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{Element, ErrorKind, Result, Shape};
use ringwood_device::backend::Backend;
use ringwood_device::device::{Device, Runtime, Tensor};
use ringwood_device::kernel;
use ringwood_device::kernel::{KernelDef, KernelSpec};
use std::fmt::Debug;
use written::{reversed, scaled};

#[kernel(
    domain = (rows, columns),
    requires(y.len() == rows * columns),
    opencl = "__kernel void places(__global uint* y, ulong n, ulong rows, ulong columns, uint set,
                                   ulong width, ulong height) {
        size_t column = get_global_id(0), row = get_global_id(1);
        if (column < width && row < height) y[row * width + column] = set ? 100 * row + column : 0;
    }"
)]
fn places(y: &mut [u32], rows: usize, columns: usize, set: bool);

#[kernel(
    domain = (x.extent(0), x.extent(1)),
    requires(y.len() == x.extent(0) * x.extent(1)),
    opencl = "__kernel void gathered(__global const float* x, ulong rows, ulong columns, ulong down,
                                     ulong right, __global float* y, ulong n, ulong width,
                                     ulong height) {
        size_t column = get_global_id(0), row = get_global_id(1);
        if (column < width && row < height) y[row * columns + column] = x[row * down + column * right];
    }"
)]
fn gathered(x: View<f32, 2>, y: &mut [f32]);

#[kernel(opencl = "__kernel void broken(__global float* y, ulong n, ulong items) {
    y[0] = no_such_name;
}")]
fn broken(y: &mut [f32]);

#[kernel(opencl = "
    __kernel void narrow(__global float* y, uint n, ulong items) { y[0] = 1; }")]
fn narrow(y: &mut [f32]);

fn device() -> Option<Device> {
    support::opencl()?;
    // A run time of its own: failures of a stream stick.
    Some(Runtime::new(Registry::global().unwrap().clone()).device("opencl:0").unwrap())
}

fn tensor<T: Element>(device: &Device, elements: &[T]) -> Tensor {
    device.tensor(elements).unwrap()
}

fn matrix(device: &Device, elements: &[f32], dims: [usize; 2]) -> Tensor {
    device.tensor_with(elements, Shape::new(&dims).unwrap()).unwrap()
}

fn spec(entry: Entry) -> KernelSpec<'static> {
    let def = entry.declared::<KernelDef>().unwrap();
    def.spec(&def.instances[0])
}

#[test]
fn a_kernel_runs_its_source() {
    let Some(device) = device() else { return };
    let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
    let (x_tensor, mut y) = (tensor(&device, &x), tensor(&device, &[0.0_f32; 1000]));
    scaled(0.5, &x_tensor, &mut y).unwrap();
    let expected: Vec<_> = x.iter().map(|x| 0.5 * x + 1.0).collect();
    assert_eq!(y.to_vec::<f32>().unwrap(), expected);
    let mut short = tensor(&device, &[0.0_f32; 9]);
    let error = scaled(0.5, &x_tensor, &mut short).unwrap_err();
    assert!(error.message().contains("requires") && error.message().contains("x.len()"), "{error}");
}

fn reverses<T: Element + Debug + PartialEq>(
    device: &Device,
    x: &[T],
    lanes: usize,
    launch: impl Fn(&Tensor, &mut Tensor) -> Result<()>,
) {
    let (from, mut to) = (tensor(device, x), tensor(device, x));
    launch(&from, &mut to).unwrap();
    let expected: Vec<T> = x.chunks(lanes).flat_map(|row| row.iter().rev().copied()).collect();
    assert_eq!(to.to_vec::<T>().unwrap(), expected);
}

#[test]
fn a_source_knows_the_types_and_constants_of_its_instance() {
    let Some(device) = device() else { return };
    let (floats, integers): (Vec<f32>, Vec<i32>) = (0..64).map(|i| (i as f32, -i)).unzip();
    let bytes: Vec<_> = integers.iter().map(|x| x.unsigned_abs() as u8).collect();
    reverses(&device, &floats, 8, reversed::<8>);
    reverses(&device, &integers, 32, reversed::<32>);
    reverses(&device, &bytes, 32, reversed::<32>);
    let truths: Vec<_> = bytes.iter().map(|x| x % 3 == 1).collect();
    reverses(&device, &truths, 8, reversed::<8>);
}

#[test]
fn a_source_gets_extents_slowest_last_and_every_work_item() {
    let Some(device) = device() else { return };
    let mut y = tensor(&device, &[7_u32; 3 * 130]);
    places(&mut y, 3, 130, true).unwrap();
    let expected: Vec<u32> = (0..3 * 130).map(|i| 100 * (i / 130) + i % 130).collect();
    assert_eq!(y.to_vec::<u32>().unwrap(), expected);
}

#[test]
fn a_source_gets_extents_and_steps_of_a_view() {
    let Some(device) = device() else { return };
    let numbers: Vec<f32> = (0..6).map(|i| i as f32).collect();
    let x = matrix(&device, &numbers, [2, 3]);
    let mut y = tensor(&device, &[0.0_f32; 6]);
    gathered(x.view().transpose(0, 1).unwrap(), &mut y).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

#[test]
fn a_source_gets_a_part_of_a_buffer_if_the_device_can_start_there() {
    let Some(device) = device() else { return };
    let x = matrix(&device, &[1.0_f32; 64 * 40], [40, 64]);
    let y = matrix(&device, &[0.0_f32; 64 * 40], [40, 64]);
    let (from, mut to) = (x.rows(0..2).unwrap(), y.rows(32..34).unwrap());
    scaled(2.0, &from, &mut to).unwrap();
    let all = y.to_vec::<f32>().unwrap();
    let places: Vec<_> =
        all.iter().enumerate().filter(|(_, v)| **v == 3.0).map(|(i, _)| i).collect();
    assert_eq!(places, (32 * 64..34 * 64).collect::<Vec<_>>());
    let y = matrix(&device, &[0.0_f32; 128], [128, 1]);
    let mut odd = y.rows(1..128).unwrap();
    let from = matrix(&device, &[1.0_f32; 127], [127, 1]);
    match scaled(2.0, &from, &mut odd) {
        Ok(()) => assert_eq!(y.to_vec::<f32>().unwrap()[..2], [0.0, 3.0]),
        Err(error) => assert!(error.to_string().contains("copy the part"), "{error}"),
    }
}

#[test]
fn what_the_compiler_refuses_is_shown_where_it_stands() {
    let Some(device) = device() else { return };
    let mut y = tensor(&device, &[0.0_f32; 4]);
    let error = broken(&mut y).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Backend);
    assert!(error.get("log").unwrap().contains("no_such_name"), "{error}");
    let line = spec(broken::ENTRY).source("opencl").unwrap().line + 1;
    let place = error.get("at").unwrap_or_default();
    assert!(place.ends_with(&format!("sources.rs:{line}")), "{error}");
    let error = narrow(&mut y).unwrap_err();
    let line = spec(narrow::ENTRY).source("opencl").unwrap().line + 1;
    let place = error.get("at").unwrap_or_default();
    assert!(place.ends_with(&format!("sources.rs:{line}")), "{error}");
    assert!(error.get("log").unwrap().contains("conflicting types"), "{error}");
}

#[test]
fn a_backend_whose_devices_take_no_text_refuses_one() {
    let spec = spec(scaled::ENTRY);
    assert!(spec.source_file(spec.source("opencl").unwrap()).ends_with("support/scaled.cl"));
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    let without = KernelSpec { sources: None, ir: None, ..spec };
    let error = opencl.compile(device, &[without]).err().unwrap();
    assert!(error.message().contains("neither portable body nor source"), "{error}");
}
