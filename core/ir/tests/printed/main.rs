//! Printed kernels, compiled and run where a device or a compiler is present.
//!
//! What is missing is skipped with a line on standard error, unless `RINGWOOD_REQUIRE` lists it:
//! `opencl` for a device that runs the kernels, `cuda-nvrtc` for the compiler of CUDA C.

mod build;
mod cases;
#[path = "../random/generator.rs"]
mod generator;
#[path = "../random/launch.rs"]
mod launch;
mod maps;
mod nvrtc;
mod opencl;
#[path = "../random/parallel.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod parallel;
mod random;
mod relaxed;
#[path = "../random/shrink.rs"]
mod shrink;
mod values;

use std::io::Write;

/// Notes that a test is skipped, or fails if it may not be.
fn skip(what: &str, why: &str) {
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|r| r.trim() == what), "{what} is required, but {why}");
    // The test harness captures `eprintln!` of a test that passes.
    let _ = writeln!(std::io::stderr(), "skipped, no {what}: {why}");
}
