//! What a plan costs beside its arithmetic: the time of a node of a run, and that of planning; and what lazy tensors cost
//! beside the plan: the time of recording, and that of a call of what was recorded.
//!
//! `cargo bench -p ringwood-graph --bench plan`; `-- --once run N` runs a chain N times, and `-- --once plan N`
//! plans N nodes, and `-- --once record N` records the chain N times, for counting instructions.

#[path = "../../../benches/spine/measure.rs"]
mod measure;

use measure::{line, median};
use ringwood_backend_cpu as _;
use ringwood_base::{DType, Result};
use ringwood_device::device::Device;
use ringwood_device::kernel;
use ringwood_graph::graph::{Graph, GraphPlan, Planner};
use ringwood_graph::lazy::{Lazy, jit};
use ringwood_graph::register_operator;
use std::hint::black_box;

#[kernel(map, device = cpu)]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

register_operator! {
    Plus = plus;
    shape: "..., ... -> ...",
}

/// The nodes of the chain that runs, and the elements of each.
const NODES: usize = 1000;
const ELEMENTS: usize = 16;

fn main() -> Result<()> {
    let device = Device::named("cpu:0")?;
    let args: Vec<_> = std::env::args().skip_while(|arg| arg != "--once").skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["run", times, ..] => {
            let mut plan = plan(&device, NODES, false)?;
            return (0..number(times)).try_for_each(|_| plan.submit());
        }
        ["plan", nodes, ..] => return plan(&device, number(nodes), false).map(drop),
        ["record", times, ..] => return (0..number(times)).try_for_each(|_| recorded().map(drop)),
        _ => {}
    }
    let mut y = [0.5_f32; ELEMENTS];
    let by_hand = median(|| (0..NODES).for_each(|_| add(&mut y, black_box(&[0.5; ELEMENTS]))));
    for fuse in [false, true] {
        let fused = if fuse { "fused" } else { "one by one" };
        let mut running = plan(&device, NODES, fuse)?;
        let run = median(|| running.submit().expect("the plan runs"));
        line(&format!("{NODES} adds of {ELEMENTS}, {fused}"), run, "loops by hand", by_hand);
        println!("{:>57.1} ns an add", run.as_nanos() as f64 / NODES as f64);
        for nodes in [1000, 10_000] {
            let graph = chain(nodes)?;
            let planning = median(|| drop(planner(&device, fuse).plan(&graph).expect("a plan")));
            println!("planning {nodes} adds, {fused}: {:.1} ms", planning.as_secs_f64() * 1e3);
        }
    }
    lazy()
}

/// Recording, and a call without kernels: six arguments that come back.
fn lazy() -> Result<()> {
    let recording = median(|| drop(recorded().expect("a graph")));
    println!("recording {NODES} adds: {:.2} ms", recording.as_secs_f64() * 1e3);
    let pass = jit(|six: [Lazy; 6]| six);
    let mut six = Some([0; 6].map(|_| Lazy::new(&[ELEMENTS], &[0.5_f32; ELEMENTS])));
    let mut call = || six = Some(pass.call(six.take().expect("it came back")).expect("a call"));
    let called = median(|| (0..NODES).for_each(|_| call()));
    println!(
        "a call of 6 arguments, without kernels: {:.0} ns",
        called.as_nanos() as f64 / NODES as f64
    );
    println!("{}", pass.stats());
    Ok(())
}

fn recorded() -> Result<Graph> {
    let chain = jit(|x: Lazy| (0..NODES).fold(x, |x, _| x.apply("plus", &[&x], ())));
    chain.graph(&Lazy::new(&[ELEMENTS], &[0.5_f32; ELEMENTS]))
}

#[inline(never)]
fn add(y: &mut [f32], b: &[f32]) {
    y.iter_mut().zip(b).for_each(|(y, b)| *y += b);
}

fn number(text: &str) -> usize {
    text.parse().expect("a number follows `--once run` and `--once plan`")
}

fn chain(nodes: usize) -> Result<Graph> {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[ELEMENTS])?;
    let b = graph.input("b", DType::F32, &[ELEMENTS])?;
    let end = (0..nodes).try_fold(x, |y, _| graph.apply("plus", &[y, b]))?;
    graph.output("y", end)?;
    Ok(graph)
}

/// Plans for a stream that runs everything in the call.
fn planner(device: &Device, fuse: bool) -> Planner {
    Planner::new(std::slice::from_ref(device)).streams("sync").fuse(fuse)
}

fn plan(device: &Device, nodes: usize, fuse: bool) -> Result<GraphPlan> {
    let mut plan = planner(device, fuse).plan(&chain(nodes)?)?;
    for input in ["x", "b"] {
        plan.set_input(input, &device.tensor(&[0.5_f32; ELEMENTS])?)?;
    }
    Ok(plan)
}
