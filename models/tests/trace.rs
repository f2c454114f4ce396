//! Traces of runs: a track for each device, arrows for copies, bytes that are in use.

mod support;

use ringwood_backend_cpu as _;
use ringwood_backend_opencl as _;
use ringwood_base::{DType, Shape};
use ringwood_device::device::Device;
use ringwood_graph::graph::Graph;
use ringwood_kernels as _;
use ringwood_models::trace;
use serde_json::Value;

#[test]
fn a_run_over_two_devices_has_their_tracks_and_an_arrow_for_each_copy() {
    let Some(opencl) = support::device("opencl") else { return };
    let cpu = Device::named("cpu:0").unwrap();
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2, 3]).unwrap();
    let here = graph.apply("exp", &[x]).unwrap();
    let there = graph.apply("relu", &[here]).unwrap();
    let back = graph.apply("neg", &[there]).unwrap();
    graph.output("y", back).unwrap();
    graph.place(there, "opencl:0").unwrap();
    graph.place(back, "cpu:0").unwrap();
    let mut plan = graph.plan(&[cpu.clone(), opencl]).unwrap();
    let x = cpu.tensor_with(&[1.0_f32; 6], Shape::new(&[2, 3]).unwrap()).unwrap();
    let times = plan.run_timed(&[("x", &x)]).unwrap();
    let trace = trace::json(plan.graph(), &times);
    let events = trace["traceEvents"].as_array().unwrap();
    let of = |phase: &str| -> Vec<&Value> { events.iter().filter(|e| e["ph"] == phase).collect() };
    let tracks: Vec<_> = of("M").iter().map(|e| e["args"]["name"].as_str().unwrap()).collect();
    assert_eq!(tracks, ["copies to cpu:0", "copies to opencl:0", "cpu:0", "opencl:0"]);
    let slices: Vec<_> = of("X").iter().map(|e| e["name"].as_str().unwrap()).collect();
    assert_eq!(slices, ["exp", "copy", "relu", "copy", "neg"]);
    assert_eq!((of("s").len(), of("f").len()), (2, 2));
    // At the end the output alone is needed.
    let used = &of("C").last().unwrap()["args"];
    assert_eq!(
        (used["opencl:0"].as_u64(), used["cpu:0"].as_u64()),
        (Some(0), Some(24 + 24)),
        "{used}"
    );
}
