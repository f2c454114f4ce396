//! A planned run allocates nothing.

#[path = "../../../tests/support/counting.rs"]
mod counting;

use counting::ALLOCATIONS;
use ringwood_backend_cpu as _;
use ringwood_base::sync::set_threads;
use ringwood_base::{DType, Result};
use ringwood_device::device::Device;
use ringwood_device::kernel;
use ringwood_graph::graph::{Graph, GraphPlan, Planner};
use ringwood_graph::register_operator;

#[kernel(map, device = cpu)]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

register_operator! {
    Plus = plus;
    shape: "..., ... -> ...",
}

/// A kernel of work-items: whether its loop is worth splitting is measured.
#[kernel(device = cpu)]
fn halve(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = 0.5 * x[i];
}

register_operator! {
    Halve = halve;
    shape: "... -> ...",
}

/// A chain of `nodes` sums and halves on a stream that runs everything in the call.
fn plan(nodes: usize) -> Result<GraphPlan> {
    let device = Device::named("cpu:0")?;
    let mut graph = Graph::new();
    let (x, b) = (graph.input("x", DType::F32, &[16])?, graph.input("b", DType::F32, &[16])?);
    let end = (0..nodes).try_fold(x, |y, i| match i % 2 {
        0 => graph.apply("plus", &[y, b]),
        _ => graph.apply("halve", &[y]),
    })?;
    graph.output("y", end)?;
    let mut plan = Planner::new(std::slice::from_ref(&device)).streams("sync").plan(&graph)?;
    for input in ["x", "b"] {
        plan.set_input(input, &device.tensor(&[1.0_f32; 16])?)?;
    }
    Ok(plan)
}

#[test]
fn a_planned_run_allocates_nothing() -> Result<()> {
    // With more threads, a loop that was interrupted while it was measured would be split over them.
    set_threads(1)?;
    for nodes in [1, 100] {
        let mut plan = plan(nodes)?;
        plan.submit()?;
        let before = ALLOCATIONS.get();
        for _ in 0..100 {
            plan.submit()?;
        }
        assert_eq!(ALLOCATIONS.get() - before, 0, "{nodes} nodes");
        assert!(plan.output("y")?.to_vec::<f32>()?.iter().all(|y| (1.0..=2.0).contains(y)));
    }
    Ok(())
}
