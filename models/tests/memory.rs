//! The memory of a process that runs a model again and again.
#![cfg(target_os = "linux")]

use ringwood_backend_cpu as _;
use ringwood_base::Shape;
use ringwood_device::device::Device;
use ringwood_graph::graph::Model;
use ringwood_kernels as _;
use ringwood_models::onnx;
use std::fs;

/// What the process has in memory, in KiB.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Batches of 1 to 100 images, in another order each time: 10,000 in `test.sh --long`, 2,000 else.
#[test]
fn many_runs_of_a_hundred_shapes_take_no_more_memory_than_a_few() {
    let count = if std::env::var_os("RINGWOOD_LONG").is_some() { 10_000 } else { 2_000 };
    let device = Device::named("cpu:0").unwrap();
    let graph = onnx::load("../data/digits.onnx").unwrap();
    let model = Model::new(graph, std::slice::from_ref(&device));
    let run = |i: usize| {
        let batch = 1 + (37 * i + i / 100) % 100;
        let pixels = vec![i as f32 / 10_000.0; batch * 64];
        let x = device.tensor_with(&pixels, Shape::new(&[batch, 64]).unwrap()).unwrap();
        model.run(&[("pixels", &x)]).unwrap();
    };
    (0..500).for_each(run);
    let before = resident();
    (500..count).for_each(run);
    let after = resident();
    assert!(after <= before + 2_048, "{before} KiB after 500 runs, {after} KiB after {count}");
}
