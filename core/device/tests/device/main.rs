//! The device run time on a backend whose streams a test can hold.

mod donation;
mod hazards;
mod kernels;
mod launches;
mod logs;
mod memory;
mod merging;
mod native;
mod plain;
mod programs;
mod refusals;
mod reports;
mod routines;
mod runtimes;
mod streams;
mod strictness;
mod tensors;
mod toy;

use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result, Shape};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Device, Runtime, Stream, Tensor};
use std::time::Duration;
use toy::{Gate, Toy};

/// The bound of every wait of these tests.
const LIMIT: Duration = Duration::from_secs(20);

/// A run time of its own, with backends `toy` and `shared` and every kernel.
fn runtime() -> Runtime {
    let builder = Registry::builder()
        .register(<Toy<false> as Registered>::ENTRY)
        .register(<Toy<true> as Registered>::ENTRY);
    let kernels = [
        &kernels::ADD,
        &kernels::SAXPY,
        &kernels::SCALE,
        &kernels::APPEND,
        &kernels::LOG,
        &kernels::FAIL,
        &kernels::PANIC,
        &kernels::ELSEWHERE,
    ];
    let builder = kernels.into_iter().fold(builder, |b, k| b.register(kernels::entry(k)));
    Runtime::new(builder.build().unwrap())
}

fn device(name: &str) -> Device {
    runtime().device(name).unwrap()
}

/// A stream that runs nothing before its gate is opened.
fn held(device: &Device) -> (Stream, Gate) {
    let gate = Gate::closed();
    (device.new_stream(&gate.kind()).unwrap(), gate)
}

fn shape(dims: &[usize]) -> Shape {
    Shape::new(dims).unwrap()
}

/// Bytes of four floats.
fn bytes(value: f32) -> std::sync::Arc<[u8]> {
    std::sync::Arc::from(bytemuck::cast_slice::<f32, u8>(&[value; 4]))
}

fn values(tensor: &Tensor) -> Vec<f32> {
    tensor.to_vec().unwrap()
}

#[track_caller]
fn fails<T>(result: Result<T>, needle: &str) -> Error {
    let Err(error) = result else { panic!("expected an error with `{needle}`") };
    assert!(error.to_string().contains(needle), "{error}");
    error
}
