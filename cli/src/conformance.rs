//! `ringwood conformance`: every backend against the suite.

use super::named;
use super::output::Output;
use crate::Result;
use crate::device::Runtime;
use clap::Args;
use ringwood_conformance::{Options, Report};
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood conformance --backend cpu\n  \
    ringwood conformance --backend opencl --case kernels --unsupported \"peer_copy=one device only\"")]
pub(super) struct ConformanceArgs {
    /// Run only this backend; may be given several times.
    #[arg(long = "backend", value_name = "NAME")]
    backends: Vec<String>,
    /// Run only this case or suite; may be given several times.
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    /// Seeds of the cases about order, on streams with random delays.
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Seconds that a case may take on one device and kind of stream: more, where the first run of
    /// a kernel compiles for long.
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    bound: u64,
    /// A case, suite or CASE@KIND that a device will never pass, as NAME=REASON.
    #[arg(long, value_name = "NAME=REASON", value_parser = excluded)]
    unsupported: Vec<(String, String)>,
    /// A case, suite or CASE@KIND that a device does not pass yet, as NAME=REASON.
    #[arg(long, value_name = "NAME=REASON", value_parser = excluded)]
    expected_failure: Vec<(String, String)>,
}

/// A name and the reason why it is excluded.
fn excluded(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, reason)) if !name.is_empty() && !reason.trim().is_empty() => {
            Ok((name.into(), reason.trim().into()))
        }
        _ => Err("write NAME=REASON, as in `peer_copy=one device only`".into()),
    }
}

/// The matrix, and whether nothing failed.
#[derive(Serialize)]
struct Outcome {
    passed: bool,
    #[serde(flatten)]
    report: Report,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

/// # Errors
/// A name is of no backend, no case and no suite.
pub(super) fn run(args: &ConformanceArgs, output: &Output) -> Result<ExitCode> {
    let runtime = Runtime::global()?;
    let mut options = Options::from_env();
    options.seeds = args.seeds;
    options.bound = Duration::from_secs(args.bound);
    for backend in &args.backends {
        named::backend(backend)?;
        options = options.only(backend);
    }
    options = args.cases.iter().fold(options, |options, case| options.case(case));
    for (name, reason) in &args.unsupported {
        options = options.unsupported(name, reason);
    }
    for (name, reason) in &args.expected_failure {
        options = options.expected_failure(name, reason);
    }
    options.unknown().into_iter().next().map_or(Ok(()), Err)?;
    let progress = output.progress(0);
    let report = ringwood_conformance::run(runtime, &options);
    progress.finish_and_clear();
    let outcome = Outcome { passed: report.passed(), report };
    output.result(&outcome)?;
    Ok(if outcome.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
