//! `ringwood kernels --check`: every kernel, compiled for every device that runs it.

use super::super::named;
use super::super::output::{Output, Table};
use crate::backend;
use crate::device::{BackendState, Device, Kernel, Runtime};
use crate::kernel::{Instance, KernelDef, Portable};
use crate::{Error, ErrorKind, Result};
use ringwood_ir::print::{CUDA, Facts, Options, Program};
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

/// The compute capabilities that kernels are compiled for where there is no GPU: A100 and H100.
const ARCHITECTURES: [u32; 2] = [80, 90];

#[derive(Serialize)]
struct Report {
    checks: Vec<Check>,
    passed: usize,
    skipped: usize,
    failed: usize,
}

/// One kernel on one device, or for one architecture.
#[derive(Serialize)]
struct Check {
    kernel: &'static str,
    device: String,
    /// The combinations of element types.
    instances: usize,
    outcome: Outcome,
    /// Why it was skipped, or what failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Passed,
    Skipped,
    Failed,
}

/// Checks all kernels, or the one called `name`, for every backend that runs them, or the one called `only`.
///
/// # Errors
/// The backend runs none of them.
pub(super) fn run(name: Option<&str>, only: Option<&str>, output: &Output) -> Result<ExitCode> {
    let runtime = Runtime::global()?;
    let chosen = name.map(|name| named::find::<KernelDef>(name, output)).transpose()?;
    let chosen = chosen.map(|def| (def.meta.package, def.meta.name));
    let backends = runtime.backends();
    let mut checks = Vec::new();
    for (_, def) in runtime.registry().of::<KernelDef>() {
        if chosen.is_none_or(|chosen| chosen == (def.meta.package, def.meta.name)) {
            let run_by = backend::backends(runtime.registry(), def);
            let wanted = run_by.iter().filter(|backend| only.is_none_or(|only| only == **backend));
            wanted.for_each(|backend| one(def, backend, &backends, &mut checks));
        }
    }
    if checks.is_empty() {
        let message = "no backend that was asked for runs these kernels: nothing was checked";
        return Err(Error::unsupported(message)
            .help("`ringwood kernels` lists the backends that run each kernel"));
    }
    let report = Report::new(checks);
    output.result(&report)?;
    Ok(if report.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One kernel for one of the backends that run it.
fn one(def: &'static KernelDef, backend: &str, backends: &[BackendState], checks: &mut Vec<Check>) {
    let mut check = |device: String, result: Result<()>| {
        let (outcome, reason) = match result {
            Ok(()) => (Outcome::Passed, None),
            Err(error) if error.kind() == ErrorKind::Unavailable => {
                (Outcome::Skipped, Some(error.message().to_owned()))
            }
            Err(error) => (Outcome::Failed, Some(error.to_string())),
        };
        let instances = def.instances.len();
        checks.push(Check { kernel: def.meta.name, device, instances, outcome, reason });
    };
    let state = backends.iter().find(|state| state.name == backend);
    match state.map(|state| &state.devices) {
        Some(Ok(devices)) => {
            devices
                .iter()
                .for_each(|device| check(device.name().to_owned(), compiled(def, device)));
        }
        // NVRTC needs no device.
        Some(Err(_)) if backend == "cuda" => {
            for arch in ARCHITECTURES {
                check(format!("cuda sm_{arch}"), compiled_without_device(def, arch));
            }
        }
        Some(Err(error)) => check(backend.to_owned(), Err(error.clone())),
        None => {
            let message = format!("no backend `{backend}` is linked into this program");
            check(backend.to_owned(), Err(Error::unavailable(message)));
        }
    }
}

fn compiled(def: &'static KernelDef, device: &Device) -> Result<()> {
    let kernels: Vec<_> = def
        .instances
        .iter()
        .map(|instance: &'static Instance| Kernel::new(def, instance))
        .collect();
    device.codes(&kernels).map(drop)
}

/// Printed instances in one text, each with and without checks and 64-bit indices; each one that is
/// written by hand in a text of its own.
fn compiled_without_device(def: &'static KernelDef, arch: u32) -> Result<()> {
    let mut program = Program::new(&CUDA, &Facts::default());
    for instance in def.instances {
        let spec = def.spec(instance);
        ringwood_backend_cuda::library(&spec)?;
        ringwood_backend_cuda::check_group(&spec.kernel()?)?;
        if spec.source(CUDA.name).is_some() {
            let written = Portable::in_dialect(&spec, &CUDA)?;
            let printed = written.print(&CUDA, &Facts::default(), &Options::default());
            let compiled = ringwood_backend_cuda::compile(&printed.source, arch);
            let ptx = compiled.map_err(|error| spec.refused(error, &printed))?;
            let entry = format!(".entry {}(", printed.entry);
            if !String::from_utf8_lossy(&ptx).contains(&entry) {
                let message =
                    format!("the source only declares `{}`, its entry point", printed.entry);
                let error = Error::invalid(message);
                return Err(spec.refused(error.help("define it"), &printed));
            }
            continue;
        }
        let kernel = spec.kernel()?;
        let checked = Options::default();
        program.add(&kernel, &checked);
        if kernel.result.is_none() {
            program.add(&kernel, &Options { checked: false, narrow: true, ..checked });
        }
    }
    ringwood_backend_cuda::compile(&program.source(), arch).map(drop).map_err(|error| {
        error
            .with("kernel", def.meta.name)
            .with("declared at", format!("{}:{}", def.meta.file, def.meta.line))
    })
}

impl Report {
    fn new(checks: Vec<Check>) -> Self {
        let count = |outcome| checks.iter().filter(|c| c.outcome == outcome).count();
        let counts = [Outcome::Passed, Outcome::Skipped, Outcome::Failed].map(count);
        let [passed, skipped, failed] = counts;
        Self { checks, passed, skipped, failed }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::Passed => "passed",
            Outcome::Skipped => "skipped",
            Outcome::Failed => "FAILED",
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["kernel", "device", "instances", "", "why"]);
        for check in &self.checks {
            let why = check.reason.as_deref().unwrap_or_default().lines().next();
            table.row([
                check.kernel.to_owned(),
                check.device.clone(),
                check.instances.to_string(),
                check.outcome.to_string(),
                why.unwrap_or_default().to_owned(),
            ]);
        }
        table.fmt(f)?;
        for check in self.checks.iter().filter(|check| check.outcome == Outcome::Failed) {
            let reason = check.reason.as_deref().unwrap_or_default();
            writeln!(f, "\n{} on {}: {reason}", check.kernel, check.device)?;
        }
        let Report { passed, skipped, failed, .. } = self;
        writeln!(f, "\n{passed} passed, {skipped} skipped, {failed} failed")
    }
}
