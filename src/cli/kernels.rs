//! `ringwood kernels`: what is registered, and what a kernel became.

use super::output::{Output, Table};
use crate::kernel::{Instance, KernelDef, ParamKind};
use crate::registry::{EntryMeta, Kind, Registry};
use crate::{Error, ErrorKind, Result};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Args)]
pub(super) struct KernelsArgs {
    /// Show this kernel only.
    name: Option<String>,
    /// What to show of it.
    #[arg(long, value_enum, requires = "name")]
    emit: Option<Emit>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Emit {
    /// The typed kernel IR.
    Ir,
}

#[derive(Serialize)]
struct Listing {
    kernels: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    meta: EntryMeta,
    form: crate::kernel::Form,
    devices: &'static [&'static str],
    signatures: Vec<String>,
}

pub(super) fn run(args: &KernelsArgs, output: &Output) -> Result<ExitCode> {
    let registry = Registry::global()?;
    match (&args.name, args.emit) {
        (Some(name), Some(Emit::Ir)) => output.result(&ir(registry, name)?),
        (Some(name), None) => {
            let declared = registry.kernels(name)?;
            let rows = declared.iter().map(|(entry, def)| Row::new(entry.meta, def));
            output.result(&Listing { kernels: rows.collect() })
        }
        (None, _) => {
            let rows = registry.of_kind(Kind::Kernel).filter_map(|entry| match entry.item {
                crate::registry::Item::Kernel(def) => Some(Row::new(entry.meta, def)),
                _ => None,
            });
            output.result(&Listing { kernels: rows.collect() })
        }
    }
}

impl Row {
    fn new(meta: EntryMeta, def: &'static KernelDef) -> Self {
        let signatures = def.instances.iter().map(signature).collect();
        Self { meta, form: def.form, devices: def.devices, signatures }
    }
}

/// The parameters as in the source: `a: f32, x: &[f32], y: &mut [f32]`.
fn signature(instance: &Instance) -> String {
    let param = |p: &crate::kernel::Param| match p.kind {
        ParamKind::Scalar(ty) => format!("{}: {}", p.name, ty.name()),
        ParamKind::Slice { dtype, mutable: false } => format!("{}: &[{dtype}]", p.name),
        ParamKind::Slice { dtype, mutable: true } => format!("{}: &mut [{dtype}]", p.name),
    };
    instance.params.iter().map(param).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["kernel", "form", "devices", "parameters", "declared at"]);
        for row in &self.kernels {
            let (first, more) = (&row.signatures[0], row.signatures.len() - 1);
            let dtypes = if more == 0 { String::new() } else { format!("  (+{more} dtypes)") };
            table.row([
                row.meta.name.into(),
                format!("{:?}", row.form).to_lowercase(),
                row.devices.join(", "),
                format!("{first}{dtypes}"),
                format!("{}:{}", row.meta.file, row.meta.line),
            ]);
        }
        table.fmt(f)
    }
}

#[derive(Serialize)]
struct Emitted {
    kernel: String,
    ir: Vec<String>,
}

impl fmt::Display for Emitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ir.iter().try_for_each(|text| writeln!(f, "{}", text.trim_end()))
    }
}

/// The readable IR of every instance of `name`.
fn ir(registry: &Registry, name: &str) -> Result<Emitted> {
    let declared = registry.kernels(name)?;
    let instances = declared.iter().flat_map(|(_, def)| def.instances);
    let texts = instances.filter_map(|i| i.ir).map(|text| {
        let kernel = crate::ir::decode(text).map_err(|malformed| {
            let message = format!("the IR of kernel `{name}` is malformed");
            Error::new(ErrorKind::Protocol, message).because(malformed)
        })?;
        Ok(kernel.to_string())
    });
    let ir = texts.collect::<Result<Vec<_>>>()?;
    if ir.is_empty() {
        let message = format!("kernel `{name}` has no IR: its body is not portable");
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    Ok(Emitted { kernel: name.to_owned(), ir })
}
