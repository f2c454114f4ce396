//! `ringwood kernels`: what is registered, and what a kernel became.

mod check;
mod races;
mod rust;

use super::named;
use super::output::{Output, Table};
use crate::backend::{backends, emit, emit_targets};
use crate::kernel::{Form, Instance, KernelDef, KernelSpec, Library, declarations};
use crate::registry::{EntryMeta, Registry};
use crate::{Error, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::fmt;
use std::process::ExitCode;

#[derive(Args)]
#[command(
    after_help = "Examples:\n  ringwood kernels --backend cuda\n  ringwood kernels relu --emit opencl\n  \
    ringwood kernels matmul --check\n  ringwood kernels matmul_tn --check-races"
)]
pub(super) struct KernelsArgs {
    /// Show this kernel only.
    name: Option<String>,
    /// Show, or check, the kernels for this backend only.
    #[arg(long, alias = "device", value_name = "BACKEND", conflicts_with_all = ["emit", "check_races"])]
    backend: Option<String>,
    /// Show its text: the typed IR, or what is printed for a device.
    #[arg(long, requires = "name", value_parser = PossibleValuesParser::new(targets()))]
    emit: Option<String>,
    /// Compile it, or every kernel, for every device that runs it: CUDA without a GPU, too.
    #[arg(long, conflicts_with = "emit")]
    check: bool,
    /// Look for races in launches with made-up arguments, by the interpreter of its IR.
    #[arg(long, requires = "name", conflicts_with_all = ["emit", "check"])]
    check_races: bool,
}

fn targets() -> Vec<&'static str> {
    Registry::global().map(|registry| emit_targets(registry).collect()).unwrap_or_default()
}

#[derive(Serialize)]
struct Listing {
    kernels: Vec<Row>,
    /// Whether every signature is shown, and not the first one of each kernel.
    #[serde(skip)]
    all: bool,
}

#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    meta: EntryMeta<'static>,
    form: Form,
    /// The backends whose devices run it: those that it names first.
    devices: Vec<&'static str>,
    /// The backends whose devices run a hand-written source.
    sources: Vec<&'static str>,
    /// The routines of vendors' libraries that devices may run instead of the body.
    libraries: &'static [Library],
    signatures: Vec<String>,
}

pub(super) fn run(args: &KernelsArgs, output: &Output) -> Result<ExitCode> {
    args.backend.as_deref().map_or(Ok(()), named::backend)?;
    if args.check {
        return check::run(args.name.as_deref(), args.backend.as_deref(), output);
    }
    let registry = Registry::global()?;
    if let (true, Some(name)) = (args.check_races, &args.name) {
        return races::run(registry, name, output);
    }
    if let (Some(name), Some(target)) = (&args.name, &args.emit) {
        return output.result(&emitted(registry, name, target)?);
    }
    let mut kernels: Vec<_> = match &args.name {
        Some(name) => {
            let declared = declarations(registry, name)?;
            declared.map(|(entry, def)| Row::new(registry, entry.meta(), def)).collect()
        }
        None => {
            let all = registry.of::<KernelDef>();
            all.map(|(entry, def)| Row::new(registry, entry.meta(), def)).collect()
        }
    };
    if let Some(backend) = &args.backend {
        kernels.retain(|row| row.devices.contains(&backend.as_str()));
    }
    output.result(&Listing { kernels, all: args.name.is_some() })
}

impl Row {
    fn new(registry: &Registry, meta: EntryMeta<'static>, def: &'static KernelDef) -> Self {
        let signatures = def.instances.iter().map(signature).collect();
        let sources = def.instances.first().and_then(|instance| instance.sources);
        let texts = sources.map(|sources| sources.texts).unwrap_or_default();
        let sources = texts.iter().map(|source| source.backend).collect();
        let libraries = def.instances.first().map(|instance| instance.libraries);
        let libraries = libraries.unwrap_or_default();
        let devices = backends(registry, def);
        Self { meta, form: def.form, devices, sources, libraries, signatures }
    }

    /// A backend that the kernel runs on, with what its devices run other than the body.
    fn device(&self, device: &str) -> String {
        let library = self.libraries.iter().find(|library| library.backend == device);
        match library {
            Some(Library { routine, .. }) => format!("{device} (may use library `{routine}`)"),
            None if self.sources.contains(&device) => format!("{device} (source)"),
            None => device.to_owned(),
        }
    }
}

/// The parameters as in the source: `a: f32, x: &[f32], y: &mut [f32]`.
fn signature(instance: &Instance) -> String {
    let param = |p: &crate::kernel::Param| format!("{}: {}", p.name, p.kind);
    instance.params.iter().map(param).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["kernel", "form", "devices", "parameters", "declared at"]);
        for row in &self.kernels {
            let more = row.signatures.len() - 1;
            let dtypes =
                if self.all || more == 0 { String::new() } else { format!("  (+{more} dtypes)") };
            let devices: Vec<_> = row.devices.iter().map(|device| row.device(device)).collect();
            table.row([
                row.meta.name.into(),
                format!("{:?}", row.form).to_lowercase(),
                devices.join(", "),
                format!("{}{dtypes}", row.signatures[0]),
                format!("{}:{}", row.meta.file, row.meta.line),
            ]);
            for signature in row.signatures[1..].iter().filter(|_| self.all) {
                let blank = String::new;
                table.row([blank(), blank(), blank(), signature.clone(), blank()]);
            }
        }
        table.fmt(f)
    }
}

#[derive(Serialize)]
struct Emitted {
    kernel: String,
    target: String,
    /// Of each instance that has one.
    texts: Vec<String>,
}

impl fmt::Display for Emitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.texts.iter().try_for_each(|text| writeln!(f, "{}", text.trim_end()))
    }
}

/// The text of every instance of `name` that is portable, or written by hand for `target`; of the items
/// for that backend, if there are any.
fn emitted(registry: &Registry, name: &str, target: &str) -> Result<Emitted> {
    let mut items: Vec<_> = declarations(registry, name)?.map(|(_, def)| def).collect();
    let serves = |def: &&KernelDef| backends(registry, def).contains(&target);
    if items.iter().any(serves) {
        items.retain(serves);
    }
    let host = items.iter().find(|def| def.form == Form::Host);
    let specs = items.iter().flat_map(|def| def.instances.iter().map(|i| def.spec(i)));
    let has_text = |spec: &KernelSpec<'_>| spec.ir.is_some() || spec.source(target).is_some();
    let (shown, other): (Vec<_>, Vec<_>) = specs.partition(has_text);
    if let (true, Some(host)) = (shown.is_empty(), host) {
        return Err(no_text(host, target));
    }
    let chosen = if shown.is_empty() { other } else { shown };
    let text = |spec| match (emit(registry, spec, target)?, target) {
        (text, "cpu") => Ok(rust::laid_out(&text)),
        (text, _) => Ok(text),
    };
    let texts = chosen.iter().map(text).collect::<Result<_>>()?;
    Ok(Emitted { kernel: name.to_owned(), target: target.to_owned(), texts })
}

/// The refusal to show a kernel that is any Rust.
fn no_text(def: &KernelDef, target: &str) -> Error {
    let EntryMeta { name, file, line, .. } = def.meta;
    let message = match target {
        "cpu" => format!("the item of `{name}` for `cpu` is a host kernel: its text is its Rust"),
        _ => format!("no item of `{name}` has a text for `{target}`: it is a host kernel"),
    };
    let help = format!(
        "a host kernel is Rust alone; `ringwood kernels {name}` lists the items and their devices; an item of your own \
         for the device says `implements = …`"
    );
    Error::unsupported(message).with("declared at", format!("{file}:{line}")).help(help)
}
