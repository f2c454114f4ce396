//! `ringwood devices`: what the machine has, and why a backend has nothing.

use super::named;
use super::output::{Output, Table, on_screen};
use crate::Result;
use crate::backend::{BackendDef, Capabilities};
use crate::device::{BackendState, Device, DeviceReport, Runtime, Strictness};
use crate::registry::EntryMeta;
use clap::Args;
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Serialize)]
struct Listing {
    devices: Vec<Row>,
    without_devices: Vec<Absent>,
}

#[derive(Serialize)]
struct Row {
    device: String,
    backend: EntryMeta<'static>,
    /// The backends whose kernels it runs beside those that name its own.
    kernels_of: &'static [&'static str],
    capabilities: Capabilities,
    /// Of a device that runs kernels, or why it is not known.
    strictness: Option<std::result::Result<Strictness, String>>,
    /// Memory, streams and routes.
    report: DeviceReport,
}

#[derive(Serialize)]
struct Absent {
    backend: EntryMeta<'static>,
    reason: String,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood devices\n  ringwood devices cpu opencl:1 --json")]
pub(super) struct DevicesArgs {
    /// Show these devices only: a name, as in `cpu:0`, or a backend, as in `cpu`.
    names: Vec<String>,
}

impl DevicesArgs {
    fn wants(&self, backend: &str, device: Option<&str>) -> bool {
        let is = |name: &String| name == backend || device == Some(name);
        self.names.is_empty() || self.names.iter().any(is)
    }
}

/// # Errors
/// A name is of nothing.
pub(super) fn run(args: &DevicesArgs, output: &Output) -> Result<ExitCode> {
    let mut listing = Listing { devices: Vec::new(), without_devices: Vec::new() };
    let runtime = Runtime::global()?;
    for name in &args.names {
        match name.contains(':') {
            true => runtime.device(name).map(drop)?,
            false => named::backend(name)?,
        }
    }
    for BackendState { meta, devices, .. } in runtime.backends() {
        match devices {
            Ok(devices) => {
                let wanted = devices.iter().filter(|d| args.wants(meta.name, Some(d.name())));
                listing.devices.extend(wanted.map(|d| Row::new(meta, d)));
            }
            Err(error) if args.wants(meta.name, None) => {
                let reason = error.to_string();
                listing.without_devices.push(Absent { backend: meta, reason });
            }
            Err(_) => {}
        }
    }
    output.result(&listing)
}

impl Row {
    fn new(backend: EntryMeta<'static>, device: &Device) -> Self {
        let capabilities = device.capabilities().clone();
        let strictness =
            capabilities.kernels.then(|| device.strictness().map_err(|error| error.to_string()));
        let backends = device.registry().of::<BackendDef>();
        let def = backends.map(|(_, def)| def).find(|def| def.name == backend.name);
        let kernels_of = def.map_or(&[][..], |def| def.kernels_of);
        let (device, report) = (device.name().to_owned(), device.report());
        Self { device, backend, kernels_of, capabilities, strictness, report }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["device", "kernels", "streams", "floating point"]);
        for Row { device, kernels_of, capabilities, strictness, .. } in &self.devices {
            let strictness = match strictness {
                None => String::new(),
                Some(Ok(strictness)) => strictness.to_string(),
                Some(Err(error)) => error.clone(),
            };
            table.row([
                device.clone(),
                match kernels_of {
                    _ if !capabilities.kernels => "no".into(),
                    [] => "yes".into(),
                    others => format!("those of {}", others.join(", ")),
                },
                capabilities.stream_kinds.join(", "),
                strictness,
            ]);
        }
        table.fmt(f)?;
        for Row { report, device, backend, capabilities, .. } in &self.devices {
            let EntryMeta { file, line, .. } = backend;
            write!(f, "\n{}", on_screen(&format!("{report}\n  declared at {file}:{line}")))?;
            for warning in &capabilities.warnings {
                f.write_str(&on_screen(&format!("warning: {device} {warning}")))?;
            }
        }
        for Absent { backend, reason } in &self.without_devices {
            write!(f, "\n{}", on_screen(&format!("{}: {reason}", backend.name)))?;
        }
        Ok(())
    }
}
