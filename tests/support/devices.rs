//! Devices for a test.
#![allow(dead_code, reason = "no test uses all of them")]

use ringwood::ErrorKind;
use ringwood::device::{Device, Runtime};
use ringwood::registry::Registry;
use std::io::Write;

/// A run time of its own: the failure of a stream sticks.
pub(crate) fn runtime() -> Runtime {
    Runtime::new(Registry::global().unwrap().clone())
}

/// `cpu:0` of a run time of its own.
pub(crate) fn cpu() -> Device {
    runtime().device("cpu:0").unwrap()
}

/// A device; `None` with a line that says why the test is skipped, unless `RINGWOOD_REQUIRE` lists its
/// backend.
pub(crate) fn device(runtime: &Runtime, name: &str) -> Option<Device> {
    let error = match runtime.device(name) {
        Ok(device) => return Some(device),
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    let backend = name.split(':').next().unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == backend), "{error}");
    // The test harness captures `eprintln!` of a test that passes.
    let _ = writeln!(std::io::stderr(), "skipped: {error}");
    None
}

/// `cpu:0`, and `opencl:0` where there is one.
pub(crate) fn devices() -> Vec<Device> {
    let runtime = runtime();
    ["cpu:0", "opencl:0"].into_iter().filter_map(|name| device(&runtime, name)).collect()
}
