//! Data of tests: what a model is given, what another program made of it, and how far two tensors are apart.
#![allow(dead_code, reason = "no test uses all of it")]

use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Graph, NodeKind, TensorType};
use ringwood_models::onnx;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The first device of a backend; `None` with a line that says why the test is skipped, unless `RINGWOOD_REQUIRE`
/// lists it.
pub(crate) fn device(backend: &str) -> Option<Device> {
    let error = match Device::named(backend) {
        Ok(device) => return Some(device),
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == backend), "{error}");
    // The test harness captures `eprintln!` of a test that passes.
    let _ = writeln!(std::io::stderr(), "skipped: {error}");
    None
}

/// The folder of ONNX's tests of operators, or `None` with a line that says why they are skipped.
pub(crate) fn node_tests() -> Option<PathBuf> {
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

/// A type, and the bytes of elements.
pub(crate) type Data = (TensorType, Vec<u8>);

/// The tensors of one case in order: `input_0.pb`, `input_1.pb` …
pub(crate) fn tensors(folder: &Path, stem: &str) -> Result<Vec<Data>> {
    let paths = (0..).map(|i| folder.join(format!("{stem}_{i}.pb"))).take_while(|p| p.exists());
    paths.map(|path| onnx::load_tensor(path).map(|(ty, bytes)| (ty, bytes.to_vec()))).collect()
}

/// The inputs of a model in order, with data.
pub(crate) fn given(
    model: &Graph,
    data: &[Data],
    device: &Device,
) -> Result<Vec<(String, Tensor)>> {
    let inputs = model.nodes().iter().filter(|node| matches!(node.kind, NodeKind::Input));
    let given = inputs
        .filter_map(|node| node.name.clone())
        .zip(data)
        .map(|(name, (ty, bytes))| Ok((name, device.tensor_of_bytes(bytes, ty.shape, ty.dtype)?)));
    given.collect()
}

/// As runs take them.
pub(crate) fn named(given: &[(String, Tensor)]) -> Vec<(&str, &Tensor)> {
    given.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect()
}

/// An error that says how two results differ.
pub(crate) fn differs(message: String) -> Error {
    Error::mismatch(message)
}

/// The elements of a tensor that has the expected type, and those that are expected.
///
/// # Errors
/// It is of another type.
pub(crate) fn elements(output: &Tensor, (ty, bytes): &Data) -> Result<(Vec<f64>, Vec<f64>)> {
    let got = TensorType::of(output);
    if got != *ty {
        return Err(differs(format!("it is {got}, not {ty}")));
    }
    Ok((numbers(ty.dtype, &output.to_bytes()?), numbers(ty.dtype, bytes)))
}

pub(crate) fn numbers(dtype: DType, bytes: &[u8]) -> Vec<f64> {
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
