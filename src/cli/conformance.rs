//! `ringwood conformance`: every backend against the suite.

use super::output::Output;
use crate::Result;
use crate::device::Runtime;
use clap::Args;
use ringwood_conformance::Options;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct ConformanceArgs {
    /// Run only this backend; may be given several times.
    #[arg(long = "backend", value_name = "NAME")]
    backends: Vec<String>,
    /// Run only this case or suite; may be given several times.
    #[arg(long = "case", value_name = "NAME")]
    cases: Vec<String>,
    /// Seeds of the cases about order, on streams with random delays.
    #[arg(long, default_value_t = 100, value_name = "N", allow_negative_numbers = true)]
    seeds: u64,
}

pub(super) fn run(args: &ConformanceArgs, output: &Output) -> Result<ExitCode> {
    let runtime = Runtime::global()?;
    let mut options = Options::from_env();
    options.seeds = args.seeds;
    for backend in &args.backends {
        runtime.registry().backend(backend)?;
        options = options.only(backend);
    }
    options = args.cases.iter().fold(options, |options, case| options.case(case));
    let report = ringwood_conformance::run(runtime, &options);
    output.result(&report)?;
    Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
