//! How fast a device is, for plans that place nodes by cost.

use ringwood_base::{DType, Result, Shape};
use ringwood_device::device::Device;
use ringwood_graph::graph::Graph;
use ringwood_graph::graph::pass::Rates;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The extent of the matrices that are multiplied.
const EXTENT: usize = 256;

/// The bytes that are copied.
const BYTES: usize = 1 << 20;

/// Times a sum of two numbers, a product of matrices of 256 × 256, and a copy of 1 MiB to the device and back:
/// each is the fastest of five, after one that compiles. It takes some milliseconds.
///
/// ```
/// # use {ringwood_backend_cpu as _, ringwood_kernels as _};
/// use ringwood_device::device::Device;
/// use ringwood_graph::graph::Planner;
/// use ringwood_graph::graph::pass::Policy;
/// use ringwood_kernels::rates;
///
/// let cpu = Device::named("cpu:0")?;
/// let rates = [(cpu.name().to_owned(), rates(&cpu)?)].into();
/// let planner = Planner::new(&[cpu]).policy(Policy::Cost(rates));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The device has no kernel `add` or `matmul` of `f32`; its failure.
pub fn rates(device: &Device) -> Result<Rates> {
    let launch = applied(device, "add", &[])?;
    let product = applied(device, "matmul", &[EXTENT, EXTENT])?;
    let copied = || {
        let start = Instant::now();
        device.tensor_of_bytes(&[0; BYTES], Shape::vector(BYTES), DType::U8)?.to_bytes()?;
        Ok(start.elapsed())
    };
    let copy = fastest(copied)?;
    let in_a_us = |count: usize, nanoseconds: u64| (count as u64 * 1000 / nanoseconds).max(1);
    Ok(Rates {
        launch_ns: launch,
        points_per_us: in_a_us(EXTENT.pow(3), product),
        bytes_per_us: in_a_us(2 * BYTES, copy),
    })
}

/// The nanoseconds of an operator of two operands of one shape.
fn applied(device: &Device, operator: &str, dims: &[usize]) -> Result<u64> {
    let mut graph = Graph::with_registry(Arc::new(device.registry().clone()));
    let x = graph.input("x", DType::F32, dims)?;
    let y = graph.apply(operator, &[x, x])?;
    graph.output("y", y)?;
    let mut plan = graph.plan(std::slice::from_ref(device))?;
    plan.set_input("x", &device.empty(Shape::new(dims)?, DType::F32)?)?;
    fastest(|| Ok(plan.run_timed(&[])?.iter().map(|node| node.time).sum()))
}

/// The nanoseconds of the fastest of five, after one that counts for none.
fn fastest(mut time: impl FnMut() -> Result<Duration>) -> Result<u64> {
    time()?;
    let times = (0..5).map(|_| time()).collect::<Result<Vec<_>>>()?;
    let best = times.into_iter().min().unwrap_or_default();
    Ok((best.as_nanos() as u64).max(1))
}
