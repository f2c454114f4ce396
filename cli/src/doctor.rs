//! `ringwood doctor`: what this program links, what this machine offers, and a first run of both; or what the
//! workers of a running session do.

use super::output::{Output, Table, counted};
use crate::collective::flight::{Flight, Snapshot};
use crate::device::{BackendState, Device, Runtime};
use crate::registry::{Entry, EntryMeta, Registry};
use crate::{ErrorKind, Result};
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood doctor\n  ringwood doctor --session 4242")]
pub(super) struct DoctorArgs {
    /// Say what each worker of the sessions of this process does, and who waits for whom; the process is the
    /// controller, a worker, or a rank that has called `ringwood::init`, of this user.
    #[arg(long, value_name = "PID")]
    session: Option<u32>,
}

/// The sessions of a process.
#[derive(Serialize)]
struct Sessions {
    process: u32,
    sessions: Vec<Snapshot>,
}

#[derive(Serialize)]
struct Diagnosis {
    healthy: bool,
    checks: Vec<Check>,
}

#[derive(Serialize)]
struct Check {
    what: String,
    state: State,
    found: String,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// There is no driver, which is no illness of this program.
    Absent,
    Warning,
    Failed,
}

pub(super) fn run(args: &DoctorArgs, output: &Output) -> Result<ExitCode> {
    if let Some(process) = args.session {
        let found = Flight::of_process(process)?;
        let sessions = found.iter().map(|flight| flight.snapshot()).collect();
        output.result(&Sessions { process, sessions })?;
        return Ok(ExitCode::SUCCESS);
    }
    let registry = Registry::global()?;
    let mut checks = linked(registry);
    checks.extend(Runtime::global()?.backends().into_iter().map(backend));
    checks.push(first_run());
    let healthy = checks.iter().all(|check| check.state != State::Failed);
    output.result(&Diagnosis { healthy, checks })?;
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn backend(backend: BackendState) -> Check {
    let what = format!("backend {}", backend.name);
    let devices = match backend.devices {
        Ok(devices) => devices,
        Err(error) => {
            let absent = error.kind() == ErrorKind::Unavailable;
            let state = if absent { State::Absent } else { State::Failed };
            return Check { what, state, found: error.to_string() };
        }
    };
    let warned = |d: &Device| d.capabilities().warnings.join("; ");
    let names = devices.iter().map(|d| format!("{} {}", d.name(), warned(d)).trim_end().to_owned());
    let found = names.collect::<Vec<_>>().join(", ");
    let warned = devices.iter().any(|d| !d.capabilities().warnings.is_empty());
    Check { what, state: if warned { State::Warning } else { State::Ok }, found }
}

/// Whether the standard kernels and operators arrived, each: a linker may drop some, of a
/// `staticlib` all.
fn linked(registry: &Registry) -> Vec<Check> {
    let entries = registry.entries();
    let is = |a: &EntryMeta, b: &EntryMeta| a.package == b.package && a.name == b.name;
    let missing =
        |of: &Entry| !entries.iter().any(|e| e.kind() == of.kind() && is(&e.meta(), &of.meta()));
    let dropped = ringwood_kernels::ENTRIES.iter().filter(|entry| missing(entry)).map(|entry| {
        let what = format!("{} {}", entry.noun(), entry.meta().full_name());
        let found = "the linker dropped it; see docs/registration.md".to_owned();
        Check { what, state: State::Failed, found }
    });
    let kinds = entries.chunk_by(|a, b| a.kind() == b.kind());
    let found: Vec<_> = kinds.map(|kind| counted(kind.len(), &kind[0].noun())).collect();
    let what = "registered items".to_owned();
    let arrived = Check { what, state: State::Ok, found: found.join(", ") };
    std::iter::once(arrived).chain(dropped).collect()
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
        Ok((device, true)) => Check { what, state: State::Ok, found: device },
        Ok((device, false)) => {
            Check { what, state: State::Failed, found: format!("{device} gave other numbers back") }
        }
        Err(error) => Check { what, state: State::Failed, found: error.to_string() },
    }
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["check", "", "found"]);
        for Check { what, state, found } in &self.checks {
            let mark = match state {
                State::Ok => "ok",
                State::Absent => "absent",
                State::Warning => "warning",
                State::Failed => "FAILED",
            };
            table.row([what.clone(), mark.into(), found.clone()]);
        }
        table.fmt(f)
    }
}

impl fmt::Display for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for snapshot in &self.sessions {
            writeln!(
                f,
                "{} of process {}: {snapshot:#}",
                counted(snapshot.ranks.len(), "rank"),
                self.process
            )?;
        }
        Ok(())
    }
}
