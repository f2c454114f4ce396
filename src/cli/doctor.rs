//! `ringwood doctor`: what this program links, what this machine offers, and a first run of both.

use super::output::{Output, Table};
use crate::Result;
use crate::device::{Device, Runtime};
use crate::registry::Registry;
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Serialize)]
struct Diagnosis {
    healthy: bool,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Check {
    what: String,
    ok: bool,
    found: String,
}

pub(super) fn run(output: &Output) -> Result<ExitCode> {
    let registry = Registry::global()?;
    let mut checks = vec![linked(registry)];
    checks.extend(Runtime::global()?.backends().into_iter().map(|state| match state.devices {
        Ok(devices) => {
            let names: Vec<_> = devices.iter().map(|d| d.name().to_owned()).collect();
            Check { what: format!("backend {}", state.name), ok: true, found: names.join(", ") }
        }
        // Absence of a driver is no illness of this program.
        Err(error) => Check {
            what: format!("backend {}", state.name),
            ok: error.kind() == crate::ErrorKind::Unavailable,
            found: error.to_string(),
        },
    }));
    checks.push(first_run());
    let healthy = checks.iter().all(|check| check.ok);
    output.result(&Diagnosis { healthy, checks })?;
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Whether items arrived at all: a `staticlib` may lose every one of them.
fn linked(registry: &Registry) -> Check {
    let entries = registry.entries();
    let kinds = entries.chunk_by(|a, b| a.kind() == b.kind());
    let found: Vec<_> =
        kinds.map(|of_kind| format!("{} {}s", of_kind.len(), of_kind[0].noun())).collect();
    let found = found.join(", ");
    if registry.entries().is_empty() {
        let found = format!("{found}: the linker dropped them; see docs/registration.md");
        return Check { what: "registered items".into(), ok: false, found };
    }
    Check { what: "registered items".into(), ok: true, found }
}

/// Writes to the best device and reads back.
fn first_run() -> Check {
    let run = || {
        let device = Device::best()?;
        let elements = [1.0_f32, 2.0, 3.0];
        let back = device.tensor(&elements)?.to_vec::<f32>()?;
        Ok::<_, crate::Error>((device.name().to_owned(), back == elements))
    };
    let what = "a round trip to the best device".to_owned();
    match run() {
        Ok((device, ok)) => Check { what, ok, found: device },
        Err(error) => Check { what, ok: false, found: error.to_string() },
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["check", "", "found"]);
        for Check { what, ok, found } in &self.checks {
            let mark = if *ok { "ok" } else { "FAILED" };
            table.row([what.clone(), mark.into(), found.clone()]);
        }
        table.fmt(f)
    }
}
