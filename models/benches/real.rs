//! Models of public packages beside ONNX Runtime: how far the results are apart, whether they have the same
//! bits on every device, and the times.
//!
//! `models/scripts/real.sh` installs the packages, has ONNX Runtime run them, and runs this.

#[path = "../tests/support/mod.rs"]
mod support;

use ringwood_backend_cpu as _;
use ringwood_backend_opencl as _;
use ringwood_base::Result;
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Dim, Graph, Model, NodeKind, Open, Planner, TensorType};
use ringwood_kernels as _;
use ringwood_models::onnx;
use std::path::{Path, PathBuf};
use std::time::Instant;
use support::{Data, differs, elements, given, named, tensors};

fn main() -> Result<()> {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with("--"));
    let folder = PathBuf::from(words.next().unwrap_or_else(|| "target/cases".into()));
    let only = words.next().unwrap_or_default();
    let devices = [Device::named("cpu:0")?, Device::named("opencl:0")?];
    println!("{HEAD}");
    for name in entries(&folder).into_iter().filter(|name| name.contains(&only)) {
        let path = std::fs::read_to_string(folder.join(&name).join("model.txt")).unwrap();
        for case in entries(&folder.join(&name)).into_iter().filter(|case| case.len() < 3) {
            match row(Path::new(&path), &folder.join(&name).join(&case), &devices) {
                Ok(row) => println!("| {name} | {row} |"),
                Err(error) => println!("| {name} | case {case}: {error} |"),
            }
        }
    }
    Ok(())
}

const HEAD: &str = "| model | inputs | nodes | largest error, of the largest element | ULP | opencl | unfused | two devices | \
                    row alone | load ms | first ms | run ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|";

fn entries(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// One line of the table, after the name.
fn row(path: &Path, case: &Path, devices: &[Device; 2]) -> Result<String> {
    let (inputs, expected) = (tensors(case, "input")?, tensors(case, "output")?);
    let [cpu, opencl] = devices;
    let start = Instant::now();
    let graph = onnx::load(path)?;
    let load = start.elapsed();
    let model = Model::new(graph.clone(), std::slice::from_ref(cpu));
    let start = Instant::now();
    let outputs = run(&model, &inputs, cpu)?;
    let first = start.elapsed();
    let start = Instant::now();
    run(&model, &inputs, cpu)?;
    let again = start.elapsed();
    let (error, ulp) = apart(&outputs, &expected)?;
    let same = |model: &Model| -> &'static str {
        match run(model, &inputs, cpu) {
            Ok(others) if others == outputs => "same",
            Ok(_) => "differs",
            Err(_) => "fails",
        }
    };
    let shapes: Vec<_> = inputs.iter().map(|(ty, _)| ty.to_string()).collect();
    let unfused = Planner::new(std::slice::from_ref(cpu)).fuse(false);
    Ok(format!(
        "{} | {} | {error:.1e} | {ulp} | {} | {} | {} | {} | {:.1} | {:.1} | {:.1}",
        shapes.join(", "),
        graph.nodes().len(),
        same(&Model::new(graph.clone(), std::slice::from_ref(opencl))),
        same(&Model::with_planner(graph.clone(), unfused)),
        same(&Model::new(scattered(&graph, opencl)?, devices)),
        alone(&model, &inputs, &outputs, cpu)?,
        load.as_secs_f64() * 1e3,
        first.as_secs_f64() * 1e3,
        again.as_secs_f64() * 1e3,
    ))
}

fn run(model: &Model, inputs: &[Data], device: &Device) -> Result<Vec<Data>> {
    let inputs = given(model.graph(), inputs, device)?;
    let outputs = model.run(&named(&inputs))?;
    outputs.iter().map(|output| Ok((TensorType::of(output), output.to_bytes()?))).collect()
}

/// The least of what differences are a share of.
const LEAST: f64 = 1e-3;

/// The largest difference, as a share of the largest element, and in units of the last place of that element.
fn apart(outputs: &[Data], expected: &[Data]) -> Result<(f64, u64)> {
    let mut worst = (0.0, 0);
    for ((ty, bytes), want) in outputs.iter().zip(expected) {
        let device = Device::named("cpu:0")?;
        let output: Tensor = device.tensor_of_bytes(bytes, ty.shape, ty.dtype)?;
        let (got, want) = elements(&output, want)?;
        // Numbers that are all nearly 0 are no measure of each other.
        let scale = want.iter().fold(LEAST, |most, v| most.max(v.abs()));
        for (got, want) in got.iter().zip(&want) {
            if got.is_nan() != want.is_nan() {
                return Err(differs(format!("{got} where {want} is expected")));
            }
            let error = (got - want).abs() / scale;
            if error > worst.0 {
                worst = (error, (error / f64::from(f32::EPSILON)).ceil() as u64);
            }
        }
    }
    Ok(worst)
}

/// The graph with every second application on another device.
fn scattered(graph: &Graph, device: &Device) -> Result<Graph> {
    let mut graph = graph.clone();
    let applied = graph.nodes().iter().enumerate().filter(|(_, n)| n.operator().is_some());
    let second: Vec<_> = applied.map(|(i, _)| i).step_by(2).collect();
    for node in second {
        let value = graph.value(ringwood_graph::graph::ValueId { node: node as u32, result: 0 })?;
        graph.place(value, device.name())?;
    }
    Ok(graph)
}

/// Whether the first row of a batch alone gives the first row of the results; `-` where there is no batch.
fn alone(
    model: &Model,
    inputs: &[Data],
    outputs: &[Data],
    device: &Device,
) -> Result<&'static str> {
    let sources = model.graph().nodes().iter().filter(|n| matches!(n.kind, NodeKind::Input));
    let batch = inputs.first().map_or(1, |(ty, _)| ty.shape.first().copied().unwrap_or(1));
    if batch == 1 {
        return Ok("-");
    }
    let mut rows = Vec::new();
    for (node, data) in sources.zip(inputs) {
        let open = |d: &usize| match &node.open {
            Some(Open::Input(_, dims)) => matches!(dims[*d], Dim::Open(_)),
            _ => false,
        };
        let shape = data.0.shape;
        let dim = (0..shape.len()).find(|d| shape[*d] == batch && open(d));
        rows.push(dim.map_or_else(|| Ok(data.clone()), |dim| first(data, dim))?);
    }
    let Ok(single) = run(model, &rows, device) else { return Ok("fails") };
    for (single, whole) in single.iter().zip(outputs) {
        let (one, all) = (single.0.shape, whole.0.shape);
        let differing: Vec<_> = (0..all.len()).filter(|&d| one[d] != all[d]).collect();
        match differing[..] {
            // What a whole sequence leaves behind, not what each row gives.
            [] => {}
            [dim] if first(whole, dim)?.1 == single.1 => {}
            _ => return Ok("differs"),
        }
    }
    Ok("same")
}

/// The first slice along a dimension.
fn first((ty, bytes): &Data, dim: usize) -> Result<Data> {
    let mut dims = ty.shape.to_vec();
    let inner = dims[dim + 1..].iter().product::<usize>() * ty.dtype.size();
    let rows = bytes.chunks_exact(inner * dims[dim]);
    dims[dim] = 1;
    Ok((TensorType::new(ty.dtype, &dims)?, rows.flat_map(|row| &row[..inner]).copied().collect()))
}
