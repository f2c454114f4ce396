//! What the layers cost: each figure beside the same work without Ringwood, as a ratio.
//!
//! `cargo bench --bench spine`. Stream submission has a bench of its own in `backends/cpu`; `ringwood bench all-reduce` and
//! `ringwood bench sessions` measure all-reduces and calls.

#[path = "spine/measure.rs"]
mod measure;

use measure::{line, median};
use ringwood::prelude::*;
use std::hint::black_box;

#[kernel(device = cpu)]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = a * x[i] + y[i];
}

fn main() -> ringwood::Result<()> {
    for elements in [1_000, 100_000, 10_000_000] {
        saxpy_against_a_loop(elements)?;
    }
    for n in [64, 256, 1024] {
        plan_against_its_kernel(n)?;
    }
    Ok(())
}

fn saxpy_against_a_loop(elements: usize) -> ringwood::Result<()> {
    let device = Device::named("cpu:0")?;
    let (x, mut y) = (vec![1.0_f32; elements], vec![2.0_f32; elements]);
    let (on_device, mut result) = (device.tensor(&x)?, device.tensor(&y)?);
    let mut failure = Ok(());
    let ours = median(|| {
        let run = saxpy(3.0, &on_device, &mut result);
        let end = run.and_then(|()| device.synchronize(ringwood::device::PATIENCE));
        if end.is_err() {
            failure = end;
        }
    });
    failure?;
    let theirs = median(|| {
        for (y, x) in y.iter_mut().zip(black_box(&x)) {
            *y += 3.0 * x;
        }
        black_box(&mut y);
    });
    line(&format!("saxpy, {elements} elements, launch to end"), ours, "a loop, one thread", theirs);
    Ok(())
}

fn plan_against_its_kernel(n: usize) -> ringwood::Result<()> {
    let shape = Shape::new(&[n, n])?;
    let (a, b) = (vec![1.0_f32; n * n], vec![2.0_f32; n * n]);
    let device = Device::named("cpu:0")?;
    let mut graph = Graph::new();
    let left = graph.input("a", DType::F32, &shape)?;
    let right = graph.input("b", DType::F32, &shape)?;
    let product = graph.apply("matmul", &[left, right])?;
    graph.output("c", product)?;
    let mut plan = graph.plan(std::slice::from_ref(&device))?;
    plan.set_input("a", &device.tensor_with(&a, shape)?)?;
    plan.set_input("b", &device.tensor_with(&b, shape)?)?;
    let mut failure = Ok(());
    let ours = median(|| {
        let end = plan.submit().and_then(|()| device.synchronize(ringwood::device::PATIENCE));
        if end.is_err() {
            failure = end;
        }
    });
    failure?;
    let mut c = vec![0.0_f32; n * n];
    let theirs = median(|| {
        ringwood_kernels::matmul::matmul::<f32>(black_box(&a), black_box(&b), &mut c, n, n, n);
        black_box(&mut c);
    });
    line(&format!("matmul {n}³, planned run"), ours, "the kernel alone", theirs);
    Ok(())
}
