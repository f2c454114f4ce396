//! `ringwood run`: a model, on data or on numbers made up from a seed.

mod check;
mod extents;
mod files;
mod inputs;
mod number;
mod report;

use super::output::Output;
use super::plan::timed;
use super::written;
use crate::device::{Device, Tensor};
use crate::graph::pass::Policy;
use crate::graph::{Graph, Model, Planner, TensorType};
use crate::kernel::CompileCache;
use crate::{Error, ErrorKind, Result};
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use files::{files, prepare};
use inputs::{Given, fnv, parse_shape};
use report::{Report, Seconds, Shown};
use ringwood_kernels as kernels;
use ringwood_models::{self as models, npy, package, tvm};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  ringwood run model.onnx --input x=photo.npy --output-dir out\n  \
    ringwood run model.onnx --devices cpu,opencl --shape x=1x3x224x224 --repeat 20\n  \
    ringwood run model.onnx --check\n  \
    ringwood run model.onnx --devices opencl --package model.ringwood\n  \
    ringwood run model.ringwood --devices opencl --use-code"
)]
pub(super) struct RunArgs {
    /// The model: .onnx, .ringwood, or the .json of a graph.
    file: PathBuf,
    /// An input: a tensor of NumPy in a file, or a number that every element is. May be given again.
    #[arg(long = "input", value_name = "NAME=FILE.npy|NUMBER", value_parser = pair, allow_hyphen_values = true)]
    inputs: Vec<String>,
    /// Inputs and parameters by name, of a .safetensors, a .npz, or the .params of TVM.
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// What the numbers of devices in a graph of TVM mean: places in `--devices`, or TVM's types of devices.
    #[arg(long, value_name = "index|tvm")]
    device_numbers: Option<Numbers>,
    /// The extents of an input that is not given, for those that the model leaves open. May be given again.
    #[arg(long = "shape", value_name = "NAME=1x3x224x224", value_parser = parse_shape, allow_hyphen_values = true)]
    shapes: Vec<(String, Vec<usize>)>,
    /// Seed of inputs that are not given: numbers in -1..1, integers and truth values 0 or 1.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// The devices to place the model on, the preferred one first, instead of the best: `cpu`, `opencl:1`.
    #[arg(long, value_name = "DEVICE,…", value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    devices: Vec<String>,
    /// Which device takes a node that names none: `data` the one with most bytes of its operands, `kernel` the first
    /// that has its kernel, `cost` the one that ends it first by what is measured now, `explicit` none.
    #[arg(
        long,
        value_name = "data|kernel|cost|explicit",
        default_value = "data",
        hide_possible_values = true
    )]
    policy: Placing,
    /// Those of the devices that take a node whose own device, which the file names, has no kernel for it.
    #[arg(long, value_name = "DEVICE,…", value_delimiter = ',')]
    fallback: Vec<String>,
    /// Runs; the first one is apart from the others, for which everything is prepared.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// The folder for outputs, each as NAME.npy.
    #[arg(long, value_name = "FOLDER")]
    output_dir: Option<PathBuf>,
    /// The most steps of all loops of a run together; others end with an error. 1048576 if not given.
    #[arg(long, value_name = "N")]
    limit_steps: Option<u64>,
    /// Run up to a node, whose results are the outputs: its name in the file, an output, or its number as `%12`.
    #[arg(long, value_name = "NODE")]
    until: Option<String>,
    /// List every node that cannot be run, and run nothing.
    #[arg(long, conflicts_with_all = ["repeat", "output_dir", "trace", "draw", "package"])]
    check: bool,
    /// Write the times of one more run, node by node, for Perfetto (ui.perfetto.dev).
    #[arg(long, value_name = "FILE.json")]
    trace: Option<PathBuf>,
    /// Draw the model as it is placed.
    #[arg(long, value_name = "FILE.svg")]
    draw: Option<PathBuf>,
    /// Write the model, its weights and what was compiled for it as one file.
    #[arg(long, value_name = "FILE.ringwood")]
    package: Option<PathBuf>,
    /// Run the compiled code that a package has for these devices: of a package that you trust.
    #[arg(long)]
    use_code: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Numbers {
    Index,
    Tvm,
}

#[derive(Clone, Copy, ValueEnum)]
enum Placing {
    Explicit,
    Kernel,
    Data,
    Cost,
}

/// How a model is planned.
fn planner(args: &RunArgs, devices: &[Device]) -> Result<Planner> {
    let measured = |device: &Device| Ok((device.name().to_owned(), kernels::rates(device)?));
    let policy = match args.policy {
        Placing::Explicit => Policy::Explicit,
        Placing::Kernel => Policy::Kernel,
        Placing::Data => Policy::Data,
        Placing::Cost => Policy::Cost(devices.iter().map(measured).collect::<Result<_>>()?),
    };
    let fallback = args.fallback.iter().map(|name| fallback(name, devices));
    Ok(Planner::new(devices).policy(policy).fallback(&fallback.collect::<Result<Vec<_>>>()?))
}

/// The device of a name, which is one of those of the plan.
fn fallback(name: &str, devices: &[Device]) -> Result<Device> {
    let device = device(name)?;
    if devices.contains(&device) {
        return Ok(device);
    }
    let names = devices.iter().map(Device::name).collect::<Vec<_>>().join(", ");
    let message = format!("device {} is not among those of the plan: {names}", device.name());
    Err(Error::device(message).help(
        "name it among the devices of the plan, too, as in `--devices cpu,opencl --fallback opencl`",
    ))
}

/// The backends of TVM's types of devices.
const TVM: [(i64, &str); 3] = [(1, "cpu"), (2, "cuda"), (4, "opencl")];

fn load(args: &RunArgs, devices: &[Device]) -> Result<Graph> {
    let of = |(number, backend)| {
        let device = devices.iter().find(|device| device.backend_name() == backend);
        device.map(|device| (number, device.name()))
    };
    let numbers: Vec<_> = match args.device_numbers {
        None => return Graph::load(&args.file),
        Some(_) if !written::ends_in(&args.file, "json") => {
            let file = args.file.display();
            let message = format!("`--device-numbers` is for graphs of TVM, which {file} is not");
            return Err(Error::invalid(message).help("leave the option out"));
        }
        Some(Numbers::Index) => (0..).zip(devices.iter().map(Device::name)).collect(),
        Some(Numbers::Tvm) => TVM.into_iter().filter_map(of).collect(),
    };
    tvm::load(&args.file, &numbers)
}

fn pair(text: &str) -> Result<String, String> {
    match text.contains('=') {
        true => Ok(text.to_owned()),
        false => Err("write NAME=FILE.npy or NAME=16000".to_owned()),
    }
}

pub(super) fn run(args: &RunArgs, output: &Output) -> Result<ExitCode> {
    let endings = [
        ("--trace", &args.trace, "json"),
        ("--draw", &args.draw, "svg"),
        ("--package", &args.package, "ringwood"),
    ];
    for (option, path, ending) in endings {
        path.as_ref().map_or(Ok(()), |path| written::check_ending(option, path, ending))?;
    }
    if args.use_code && !written::ends_in(&args.file, "ringwood") {
        let message = format!("{} is no package, which `--use-code` takes", args.file.display());
        return Err(Error::invalid(message).help(
            "write one with `--package FILE.ringwood` and run that, or leave the option out",
        ));
    }
    let devices = devices(&args.devices)?;
    let (mut graph, load) = timed(|| load(args, &devices))?;
    if let Some(node) = &args.until {
        graph = graph.until(node)?;
    }
    if args.use_code {
        package::use_code(&args.file)?;
    }
    let mut inputs = Given::all(&graph, args, 0)?.unwrap_or_default();
    if args.check {
        return check::run(&graph, &inputs, &planner(args, &devices)?, &devices, output);
    }
    prepare(args, &graph, &inputs)?;
    let mut model = Model::with_planner(graph, planner(args, &devices)?);
    if let Some(steps) = args.limit_steps {
        model = model.limit_steps(steps);
    }
    let mut tried = 0;
    let (tensors, ran) = loop {
        let tensors = inputs.iter().map(|input| input.tensor(&devices[0]));
        let tensors = tensors.collect::<Result<Vec<_>>>()?;
        match Ran::of(&model, args, &devices, &named(&inputs, &tensors)) {
            // Whether what depends on data fits what is made up, the run alone says.
            Err(error) if extents::is_of_extents(&error) => {
                tried += 1;
                let open = extents::are_open(model.graph(), &inputs);
                let hint = "`--shape` gives extents that the file leaves open";
                let error = if open { error.help(hint) } else { error };
                inputs = Given::all(model.graph(), args, tried)?.ok_or(error)?;
            }
            ran => break (tensors, ran?),
        }
    };
    let Ran { mut seconds, placed, results } = ran;
    seconds.load = load;
    let given = named(&inputs, &tensors);
    let code = args.use_code.then(|| CompileCache::global().counts());
    shown(args, &model, &given)?;
    let outputs = stored(model.graph(), results, args.output_dir.as_deref())?;
    let (file, inputs) = (args.file.display().to_string(), inputs.iter().map(Shown::of).collect());
    let files = args.trace.iter().chain(&args.draw).chain(&args.package).cloned().collect();
    output.result(&Report { file, inputs, outputs, devices: placed, code, seconds, files })
}

/// The inputs by name.
fn named<'a>(inputs: &'a [Given], tensors: &'a [Tensor]) -> Vec<(&'a str, &'a Tensor)> {
    inputs.iter().map(|input| input.name.as_str()).zip(tensors).collect()
}

/// What all runs take and give.
struct Ran {
    seconds: Seconds,
    placed: Vec<report::Placed>,
    results: Vec<(TensorType, Vec<u8>)>,
}

impl Ran {
    /// Runs as often as the arguments say.
    fn of(
        model: &Model,
        args: &RunArgs,
        devices: &[Device],
        given: &[(&str, &Tensor)],
    ) -> Result<Self> {
        let (mut seconds, mut placed, mut results) = (Seconds::default(), Vec::new(), Vec::new());
        for first in (0..args.repeat).map(|i| i == 0) {
            let start = Instant::now();
            let result = model.run_with(given, |plan, inputs| {
                if first {
                    seconds.planned(plan.times(), start.elapsed());
                    placed = report::placed(plan, devices);
                }
                let (results, run) = timed(|| plan.run(inputs)?.iter().map(host).collect())?;
                // The parts of the first run are shown apart.
                seconds.runs.push(if first { run } else { start.elapsed().as_secs_f64() });
                Ok(results)
            });
            results = result.map_err(|error| {
                let error = error.with("file", args.file.display());
                match error.kind() {
                    ErrorKind::Unsupported => {
                        error.or_help("`--check` lists every node that cannot be run")
                    }
                    _ => error,
                }
            })?;
        }
        Ok(Self { seconds, placed, results })
    }
}

/// Writes the trace of one more run, the picture of what is run, and the package.
fn shown(args: &RunArgs, model: &Model, given: &[(&str, &Tensor)]) -> Result<()> {
    if let Some(path) = &args.trace {
        let trace = model.run_with(given, |plan, inputs| {
            let times = plan.run_timed(inputs)?;
            Ok(models::trace::json(plan.graph(), &times).to_string())
        })?;
        written::replace(path, trace.as_bytes())?;
    }
    if let Some(path) = &args.draw {
        let picture = model.run_with(given, |plan, _| Ok(models::picture::svg(plan.graph())))?;
        written::replace(path, picture.as_bytes())?;
    }
    if let Some(path) = &args.package {
        package::save(path, model.graph(), &model.code()?)?;
    }
    Ok(())
}

/// The devices of these names, or the best one.
fn devices(names: &[String]) -> Result<Vec<Device>> {
    if names.is_empty() {
        return Ok(vec![Device::best()?]);
    }
    let mut devices = Vec::new();
    for name in names {
        let device = device(name)?;
        if devices.contains(&device) {
            let message = format!("`--devices` names {} twice", device.name());
            return Err(Error::duplicate(message).help(
                "a backend's name means its first device; `ringwood devices` lists all of them",
            ));
        }
        devices.push(device);
    }
    Ok(devices)
}

/// The device of a name; a backend's name means its first.
fn device(name: &str) -> Result<Device> {
    if name.contains(':') { Device::named(name) } else { Device::named(&format!("{name}:0")) }
}

/// The type and the elements of a tensor.
fn host(tensor: &Tensor) -> Result<(TensorType, Vec<u8>)> {
    Ok((TensorType::of(tensor), tensor.to_bytes()?))
}

/// The outputs for the report, written as files if there is a folder for them.
fn stored(
    graph: &Graph,
    results: Vec<(TensorType, Vec<u8>)>,
    folder: Option<&Path>,
) -> Result<Vec<Shown>> {
    let mut shown = Vec::new();
    for ((output, file), (ty, bytes)) in graph.outputs().iter().zip(files(graph)).zip(results) {
        let path = folder.map(|folder| folder.join(file));
        path.as_ref().map_or(Ok(()), |path| npy::save(path, ty, &bytes))?;
        let file = path.map(|path| path.display().to_string());
        shown.push(Shown { name: output.name.clone(), ty, file, number: None, hash: fnv(&bytes) });
    }
    Ok(shown)
}
