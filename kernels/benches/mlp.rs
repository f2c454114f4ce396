//! A network 784-512-512-10 forward, beside ONNX Runtime on as many threads, in turns.
//!
//! `kernels/benches/peer/install.sh && cargo bench -p ringwood-kernels --bench mlp`

use ringwood_backend_cpu as _;
use ringwood_base::DType::F32;
use ringwood_base::{Result, Shape, sync};
use ringwood_device::device::Device;
use ringwood_graph::graph::{Graph, GraphPlan};
use ringwood_kernels as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const LAYERS: [usize; 4] = [784, 512, 512, 10];
const BATCHES: [usize; 3] = [1, 32, 128];
/// The turns; the shortest median counts.
const ROUNDS: usize = 3;

fn main() -> Result<()> {
    let device = Device::named("cpu:0")?;
    let mut plans = BATCHES.iter().map(|&n| plan(&device, n)).collect::<Result<Vec<_>>>()?;
    let (mut ours, mut peers) = ([f64::INFINITY; BATCHES.len()], [f64::INFINITY; BATCHES.len()]);
    for _ in 0..ROUNDS {
        for (best, plan) in ours.iter_mut().zip(&mut plans) {
            *best = best.min(median(plan)?);
        }
        for (best, time) in peers.iter_mut().zip(peer()) {
            *best = best.min(time);
        }
    }
    for ((batch, ours), peer) in BATCHES.iter().zip(ours).zip(peers) {
        let (us, other) = (ours * 1e3, peer * 1e3);
        println!("batch {batch:>3}: {us:.3} ms, ONNX Runtime {other:.3} ms, {:.2}", ours / peer);
    }
    Ok(())
}

fn plan(device: &Device, batch: usize) -> Result<GraphPlan> {
    let mut graph = Graph::new();
    let mut value = graph.input("x", F32, &[batch, LAYERS[0]])?;
    let mut given = vec![("x".to_owned(), vec![batch, LAYERS[0]], 0.5_f32)];
    for (i, pair) in LAYERS.windows(2).enumerate() {
        let weight = graph.parameter(&format!("w{i}"), F32, pair)?;
        let bias = graph.parameter(&format!("b{i}"), F32, &pair[1..])?;
        let product = graph.apply("matmul", &[value, weight])?;
        value = graph.apply("add", &[product, bias])?;
        if i + 2 < LAYERS.len() {
            value = graph.apply("relu", &[value])?;
        }
        given.push((format!("w{i}"), pair.to_vec(), 0.01));
        given.push((format!("b{i}"), pair[1..].to_vec(), 0.0));
    }
    graph.output("y", value)?;
    let mut plan = graph.plan(std::slice::from_ref(device))?;
    for (name, dims, number) in given {
        let elements = vec![number; dims.iter().product()];
        plan.set_input(&name, &device.tensor_with(&elements, Shape::new(&dims)?)?)?;
    }
    Ok(plan)
}

/// The median of runs of a second, in seconds.
fn median(plan: &mut GraphPlan) -> Result<f64> {
    let mut times = Vec::new();
    let until = Instant::now() + Duration::from_secs(1);
    while Instant::now() < until {
        let start = Instant::now();
        plan.submit()?;
        plan.output("y")?.to_vec::<f32>()?;
        times.push(start.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The medians of ONNX Runtime; nothing where it is not installed.
fn peer() -> Vec<f64> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| root.join("../target"));
    let threads = sync::threads().expect("a number of threads").to_string();
    let mut command = Command::new("python3");
    command.arg(root.join("benches/peer/mlp.py")).arg(threads);
    command.args(BATCHES.map(|batch| batch.to_string())).env("PYTHONPATH", target.join("peer"));
    let output = command.output().expect("python3 is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        eprintln!("skipped: ONNX Runtime: run kernels/benches/peer/install.sh: {errors}");
    }
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(|line| line.parse().ok()).collect()
}
