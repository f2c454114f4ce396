//! The tests of operators that the `onnx` package ships, on `cpu:0`: as many as are expected pass.
//!
//! `nodes.txt` lists those that do not, with the reason; a test that passes and is listed, or fails and is
//! not, fails here. `RINGWOOD_ONNX` is the folder of the unpacked package; `RINGWOOD_ONNX_TEST=gather` runs
//! the tests whose names contain it and prints those that fail.

use ringwood_backend_cpu as _;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Graph, Model, NodeKind, TensorType};
use ringwood_kernels as _;
use ringwood_models::onnx;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Tolerances of the runner of the package: relative, absolute.
const TOLERANCE: (f64, f64) = (1e-3, 1e-7);

fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Mismatch, message)
}

/// The tensors of one test in order: `input_0.pb`, `input_1.pb` …
fn tensors(folder: &Path, stem: &str) -> Result<Vec<(TensorType, Vec<u8>)>> {
    let paths = (0..).map(|i| folder.join(format!("{stem}_{i}.pb"))).take_while(|p| p.exists());
    paths.map(|path| onnx::load_tensor(path).map(|(ty, bytes)| (ty, bytes.to_vec()))).collect()
}

/// Runs the model of a test on its data.
fn run(test: &Path, device: &Device) -> Result<()> {
    let model = onnx::load(test.join("model.onnx"))?;
    let data = test.join("test_data_set_0");
    let (inputs, expected) = (tensors(&data, "input")?, tensors(&data, "output")?);
    let inputs = model_inputs(&model, &inputs, device)?;
    let inputs: Vec<_> = inputs.iter().map(|(name, tensor)| (*name, tensor)).collect();
    let outputs = Model::new(model.clone(), std::slice::from_ref(device)).run(&inputs)?;
    for ((output, (ty, bytes)), named) in outputs.iter().zip(&expected).zip(model.outputs()) {
        same(output, *ty, bytes).map_err(|e| e.with("output", &named.name))?;
    }
    Ok(())
}

/// The inputs of a model in order, with the data of a test.
fn model_inputs<'a>(
    model: &'a Graph,
    data: &[(TensorType, Vec<u8>)],
    device: &Device,
) -> Result<Vec<(&'a str, Tensor)>> {
    let inputs = model.nodes().iter().filter(|node| matches!(node.kind, NodeKind::Input));
    let given = inputs.filter_map(|node| node.name.as_deref()).zip(data).map(|(name, data)| {
        let (ty, bytes) = data;
        Ok((name, device.tensor_of_bytes(bytes, ty.shape, ty.dtype)?))
    });
    given.collect()
}

fn same(output: &Tensor, ty: TensorType, bytes: &[u8]) -> Result<()> {
    let got = TensorType::of(output);
    if got != ty {
        return Err(wrong(format!("it is {got}, not {ty}")));
    }
    let (got, want) = (numbers(ty.dtype, &output.to_bytes()?), numbers(ty.dtype, bytes));
    let (relative, absolute) = TOLERANCE;
    let close = |(got, want): (&f64, &f64)| {
        got == want
            || (got.is_nan() && want.is_nan())
            || (got - want).abs() <= absolute + relative * want.abs()
    };
    match got.iter().zip(&want).position(|pair| !close(pair)) {
        None => Ok(()),
        Some(i) => Err(wrong(format!("element {i} is {}, not {}", got[i], want[i]))),
    }
}

fn numbers(dtype: DType, bytes: &[u8]) -> Vec<f64> {
    fn of<T: bytemuck::AnyBitPattern>(bytes: &[u8], number: impl Fn(T) -> f64) -> Vec<f64> {
        bytes
            .chunks_exact(size_of::<T>())
            .map(|b| number(bytemuck::pod_read_unaligned(b)))
            .collect()
    }
    match dtype {
        DType::F32 => of::<f32>(bytes, f64::from),
        DType::F64 => of::<f64>(bytes, |v| v),
        DType::F16 => of::<half::f16>(bytes, f64::from),
        DType::BF16 => of::<half::bf16>(bytes, f64::from),
        DType::I64 => of::<i64>(bytes, |v| v as f64),
        DType::U64 => of::<u64>(bytes, |v| v as f64),
        DType::I32 => of::<i32>(bytes, f64::from),
        DType::U32 => of::<u32>(bytes, f64::from),
        DType::I16 => of::<i16>(bytes, f64::from),
        DType::U16 => of::<u16>(bytes, f64::from),
        DType::I8 => of::<i8>(bytes, f64::from),
        DType::U8 => of::<u8>(bytes, f64::from),
        DType::Bool => bytes.iter().map(|b| f64::from(u8::from(*b != 0))).collect(),
    }
}

/// The folder of the tests, or `None` with a line that says why they are skipped.
fn folder() -> Option<PathBuf> {
    let package = std::env::var_os("RINGWOOD_ONNX").map(PathBuf::from);
    let folder = package.map(|package| package.join("onnx/backend/test/data/node"));
    if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
        return Some(folder);
    }
    let message = "RINGWOOD_ONNX names no unpacked Python package onnx 1.22.0";
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == "onnx"), "{message}");
    // The test harness captures `eprintln!` of a test that passes.
    let _ = writeln!(std::io::stderr(), "skipped: {message}");
    None
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

#[test]
fn operators_pass_the_tests_of_the_package() {
    let Some(folder) = folder() else { return };
    let only = std::env::var("RINGWOOD_ONNX_TEST").unwrap_or_default();
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = entries.map(|name| name.into_string().unwrap());
    let tests: BTreeSet<_> = names.filter(|name| name.contains(&only)).collect();
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
