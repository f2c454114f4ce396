//! `ringwood devices`: what the machine has, and why a backend has nothing.

use super::output::{Output, Table};
use crate::Result;
use crate::backend::Capabilities;
use crate::device::{BackendState, Device, DeviceReport, Runtime, Strictness};
use crate::registry::EntryMeta;
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
    backend: EntryMeta,
    capabilities: Capabilities,
    /// Of a device that runs kernels, or why it is not known.
    strictness: Option<std::result::Result<Strictness, String>>,
    /// Memory, streams and routes.
    report: DeviceReport,
}

#[derive(Serialize)]
struct Absent {
    backend: EntryMeta,
    reason: String,
}

pub(super) fn run(output: &Output) -> Result<ExitCode> {
    let mut listing = Listing { devices: Vec::new(), without_devices: Vec::new() };
    for BackendState { meta, devices, .. } in Runtime::global()?.backends() {
        match devices {
            Ok(devices) => listing.devices.extend(devices.iter().map(|d| Row::new(meta, d))),
            Err(error) => {
                let reason = error.to_string();
                listing.without_devices.push(Absent { backend: meta, reason });
            }
        }
    }
    output.result(&listing)
}

impl Row {
    fn new(backend: EntryMeta, device: &Device) -> Self {
        let capabilities = device.capabilities().clone();
        let strictness =
            capabilities.kernels.then(|| device.strictness().map_err(|error| error.to_string()));
        let (device, report) = (device.name().to_owned(), device.report());
        Self { device, backend, capabilities, strictness, report }
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([
            "device",
            "what it is",
            "kernels",
            "streams",
            "floating point",
            "declared at",
        ]);
        for Row { device, backend, capabilities, strictness, .. } in &self.devices {
            let strictness = match strictness {
                None => String::new(),
                Some(Ok(strictness)) => strictness.to_string(),
                Some(Err(error)) => error.clone(),
            };
            table.row([
                device.clone(),
                capabilities.description.clone(),
                if capabilities.kernels { "yes" } else { "no" }.into(),
                capabilities.stream_kinds.join(", "),
                strictness,
                format!("{}:{}", backend.file, backend.line),
            ]);
        }
        table.fmt(f)?;
        for Row { report, .. } in &self.devices {
            writeln!(f, "\n{report}")?;
        }
        for Absent { backend, reason } in &self.without_devices {
            writeln!(f, "\n{}: {reason}", backend.name)?;
        }
        Ok(())
    }
}
