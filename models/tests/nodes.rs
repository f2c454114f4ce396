//! The tests of operators that the `onnx` package ships, on `cpu:0`: as many as are expected pass.
//!
//! `nodes.txt` lists those that do not, with the reason; a test that passes and is listed, or fails and is
//! not, fails here. `RINGWOOD_ONNX` is the folder of the unpacked package; `RINGWOOD_ONNX_TEST=gather` runs
//! the tests whose names contain it and prints those that fail.

mod support;

use ringwood_backend_cpu as _;
use ringwood_backend_cuda as _;
use ringwood_backend_opencl as _;
use ringwood_base::Result;
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Graph, Model};
use ringwood_kernels as _;
use ringwood_models::onnx;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{Data, device, differs, elements, given, named, node_tests, tensors};

/// The folder of the data of a test.
const DATA: &str = "test_data_set_0";
/// Tolerances of the runner of the package: relative, absolute.
const TOLERANCE: (f64, f64) = (1e-3, 1e-7);

/// What the model of a test makes of its data on a device.
fn outputs(test: &Path, model: &Graph, device: &Device) -> Result<Vec<Tensor>> {
    let inputs = given(model, &tensors(&test.join(DATA), "input")?, device)?;
    Model::new(model.clone(), std::slice::from_ref(device)).run(&named(&inputs))
}

/// Runs the model of a test, and compares with what the package expects.
fn run(test: &Path, device: &Device) -> Result<()> {
    let model = onnx::load(test.join("model.onnx"))?;
    let (outputs, expected) =
        (outputs(test, &model, device)?, tensors(&test.join(DATA), "output")?);
    for ((output, expected), named) in outputs.iter().zip(&expected).zip(model.outputs()) {
        same(output, expected).map_err(|e| e.with("output", &named.name))?;
    }
    Ok(())
}

fn same(output: &Tensor, expected: &Data) -> Result<()> {
    let (got, want) = elements(output, expected)?;
    let (relative, absolute) = TOLERANCE;
    let close = |(got, want): (&f64, &f64)| {
        got == want
            || (got.is_nan() && want.is_nan())
            || (got - want).abs() <= absolute + relative * want.abs()
    };
    match got.iter().zip(&want).position(|pair| !close(pair)) {
        None => Ok(()),
        Some(i) => Err(differs(format!("element {i} is {}, not {}", got[i], want[i]))),
    }
}

/// The tests that fail, with the reason.
fn failures(folder: &Path, tests: &BTreeSet<String>) -> BTreeMap<String, String> {
    let device = Device::named("cpu:0").unwrap();
    let failure = |name: &String| {
        let ran = catch_unwind(AssertUnwindSafe(|| run(&folder.join(name), &device)));
        let reason = match ran {
            Ok(Ok(())) => return None,
            Ok(Err(error)) => error.message().lines().next().unwrap_or_default().to_owned(),
            Err(_) => "a panic".to_owned(),
        };
        Some((name.clone(), reason))
    };
    tests.iter().filter_map(failure).collect()
}

/// How a test that runs on the processor gives something else on another device; `None` if it does not run here.
fn differs_on(device: &Device, test: &Path) -> Option<Option<String>> {
    let processor = Device::named("cpu:0").ok()?;
    let model = onnx::load(test.join("model.onnx")).ok()?;
    let expected = outputs(test, &model, &processor).ok()?;
    let got = match outputs(test, &model, device) {
        Ok(got) => got,
        Err(error) => return Some(Some(error.to_string())),
    };
    let differs = |(got, expected): (&Tensor, &Tensor)| {
        let read = got.to_bytes().and_then(|got| Ok((got, expected.to_bytes()?)));
        !read.is_ok_and(|(got, expected)| got == expected)
    };
    let output = got.iter().zip(&expected).position(differs);
    Some(output.map(|output| format!("output {output} has other bits")))
}

/// How a test that is written, once its sizes are known, and read again gives something else; `None` if it does not run
/// or is not written.
fn differs_written(device: &Device, test: &Path, path: &Path) -> Option<Option<String>> {
    let model = onnx::load(test.join("model.onnx")).ok()?;
    let inputs = given(&model, &tensors(&test.join(DATA), "input").ok()?, device).ok()?;
    let run = |model| Model::new(model, std::slice::from_ref(device)).run(&named(&inputs));
    let expected = run(model.clone()).ok()?;
    let shapes: Vec<_> = inputs.iter().map(|(name, x)| (name.as_str(), x.shape())).collect();
    let shapes: Vec<_> = shapes.iter().map(|(name, shape)| (*name, &shape[..])).collect();
    onnx::save(&model.with_shapes(&shapes).ok()?, path).ok()?;
    let bytes =
        |outputs: &[Tensor]| outputs.iter().map(Tensor::to_bytes).collect::<Result<Vec<_>>>();
    Some(match onnx::load(path).and_then(run).and_then(|outputs| bytes(&outputs)) {
        Ok(got) if got == bytes(&expected).ok()? => None,
        Ok(_) => Some("other bits".to_owned()),
        Err(error) => Some(error.to_string()),
    })
}

#[test]
fn what_is_written_of_the_tests_gives_the_same_bits() {
    let Some(folder) = node_tests() else { return };
    let (device, tests) = (Device::named("cpu:0").unwrap(), names(&folder));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("again.onnx");
    let compared = tests
        .iter()
        .filter_map(|name| Some((name, differs_written(&device, &folder.join(name), &path)?)));
    let compared: Vec<_> = compared.collect();
    println!("{} tests of operators are written", compared.len());
    let wrong: Vec<_> = compared.iter().filter(|(_, how)| how.is_some()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared.len() > 1000 || tests.len() < 1000, "{} tests", compared.len());
}

/// Compares every test on a device with the processor, a few at a time: drivers compile for long.
fn same_bits(device: &Device) {
    let Some(folder) = node_tests() else { return };
    let (tests, next) = (Vec::from_iter(names(&folder)), AtomicUsize::new(0));
    let (compared, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(name) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(differs) = differs_on(device, &folder.join(name)) else { continue };
            compared.fetch_add(1, Ordering::Relaxed);
            wrong.lock().unwrap().extend(differs.map(|how| format!("{name}: {how}")));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let (compared, wrong) = (compared.into_inner(), wrong.into_inner().unwrap());
    println!("{compared} tests of operators compared on {device}");
    assert!(compared > 0 && (compared > 1000 || tests.len() < 1000), "{compared} tests");
    assert!(wrong.is_empty(), "{} tests differ on {device}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn operators_have_the_bits_of_the_processor_on_cuda() {
    if let Some(cuda) = device("cuda") {
        same_bits(&cuda);
    }
}

#[test]
#[ignore = "PoCL compiles for long"]
fn operators_have_the_bits_of_the_processor_on_opencl() {
    if let Some(opencl) = device("opencl") {
        same_bits(&opencl);
    }
}

/// The names of the tests, those that the environment asks for.
fn names(folder: &Path) -> BTreeSet<String> {
    let only = std::env::var("RINGWOOD_ONNX_TEST").unwrap_or_default();
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.into_string().unwrap()).filter(|name| name.contains(&only)).collect()
}

#[test]
fn operators_pass_the_tests_of_the_package() {
    let Some(folder) = node_tests() else { return };
    let only = std::env::var("RINGWOOD_ONNX_TEST").unwrap_or_default();
    let tests = names(&folder);
    let failed = failures(&folder, &tests);
    println!("{} of {} tests of operators pass", tests.len() - failed.len(), tests.len());
    if !only.is_empty() {
        failed.iter().for_each(|(name, reason)| println!("{name}: {reason}"));
        return;
    }
    let lines = failed.iter().map(|(name, reason)| format!("{name}: {reason}\n"));
    let (found, table) = (lines.collect::<String>(), Path::new("tests/nodes.txt"));
    if std::env::var_os("RINGWOOD_BLESS").is_some() {
        fs::write(table, &found).unwrap();
    }
    let expected = fs::read_to_string(table).unwrap();
    let expected: BTreeSet<_> = expected.lines().collect();
    let found: BTreeSet<_> = found.lines().collect();
    let (new, gone) = (found.difference(&expected), expected.difference(&found));
    let (new, gone): (Vec<_>, Vec<_>) = (new.collect(), gone.collect());
    assert!(
        new.is_empty() && gone.is_empty(),
        "fail, or for another reason:\n{new:#?}\nlisted, and no longer so:\n{gone:#?}\n\
         write the table again with RINGWOOD_BLESS=1"
    );
}
