//! Parts of a buffer: kernels reach their elements wherever they start, and no others.

mod support;

use ringwood_backend_opencl::OpenCl;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, ErrorKind, Shape};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Runtime, Tensor};
use ringwood_device::kernel;

#[kernel(device = [cpu, opencl])]
fn next(x: &[i32], y: &mut [i32]) {
    let i = gid(0);
    y[i] = x[i] + 1;
}

#[kernel(device = [cpu, opencl])]
fn shifted(x: &[i32], y: &mut [i32]) {
    let i = gid(0);
    y[i] = x[i + 1];
}

fn runtime() -> Option<Runtime> {
    support::opencl()?;
    let registry = Registry::builder().register(OpenCl::ENTRY).register(next::ENTRY);
    Some(Runtime::new(registry.register(shifted::ENTRY).build().unwrap()))
}

/// `len` elements of `all` from element `first` on, in the same memory.
fn part(all: &Tensor, first: usize, len: usize) -> Tensor {
    Tensor::new(all.buffer().clone(), 4 * first, Shape::vector(len), DType::I32).unwrap()
}

#[test]
fn a_kernel_reaches_the_elements_of_parts_at_any_offset_and_no_others() {
    let Some(runtime) = runtime() else { return };
    let device = runtime.device("opencl:0").unwrap();
    let mut expected: Vec<i32> = (0..64).map(|i| 100 * i).collect();
    let all = device.tensor(&expected).unwrap();
    // No driver makes sub-buffers from these on: they start at multiples of 128 bytes or more.
    for (from, to, len) in [(1, 33, 31), (0, 1, 1), (3, 40, 7), (63, 0, 1), (17, 18, 1)] {
        next(&part(&all, from, len), &mut part(&all, to, len)).unwrap();
        for i in 0..len {
            expected[to + i] = expected[from + i] + 1;
        }
        assert_eq!(all.to_vec::<i32>().unwrap(), expected, "{len} from {from} to {to}");
    }
}

#[test]
fn the_end_of_a_part_is_a_bound_though_the_buffer_goes_on() {
    let Some(runtime) = runtime() else { return };
    let device = runtime.device("opencl:0").unwrap();
    let all = device.tensor(&[7; 64]).unwrap();
    let mut result = device.tensor(&[0; 8]).unwrap();
    let failed = shifted(&part(&all, 5, 8), &mut result).and_then(|()| result.to_vec::<i32>());
    let error = failed.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert_eq!(error.message(), "kernel `shifted`: index 8 out of bounds for length 8 of `x`");
}
