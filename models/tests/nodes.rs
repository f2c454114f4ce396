//! The tests of operators that the `onnx` package ships, on `cpu:0`: as many as are expected pass.
//!
//! `nodes.txt` lists those that do not, with the reason; a test that passes and is listed, or fails and is
//! not, fails here. `RINGWOOD_ONNX` is the folder of the unpacked package; `RINGWOOD_ONNX_TEST=gather` runs
//! the tests whose names contain it and prints those that fail.

mod support;

use ringwood_backend_cpu as _;
use ringwood_base::Result;
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::Model;
use ringwood_kernels as _;
use ringwood_models::onnx;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use support::{Data, differs, elements, given, named, node_tests, tensors};

/// Tolerances of the runner of the package: relative, absolute.
const TOLERANCE: (f64, f64) = (1e-3, 1e-7);

/// Runs the model of a test on its data.
fn run(test: &Path, device: &Device) -> Result<()> {
    let model = onnx::load(test.join("model.onnx"))?;
    let data = test.join("test_data_set_0");
    let (inputs, expected) = (tensors(&data, "input")?, tensors(&data, "output")?);
    let inputs = given(&model, &inputs, device)?;
    let outputs = Model::new(model.clone(), std::slice::from_ref(device)).run(&named(&inputs))?;
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

#[test]
fn operators_pass_the_tests_of_the_package() {
    let Some(folder) = node_tests() else { return };
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
