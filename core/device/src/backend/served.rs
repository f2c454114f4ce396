//! Which kernels the devices of a backend run.

use super::BackendDef;
use crate::kernel::{Instance, KernelDef};
use ringwood_base::registry::{Entry, EntryMeta, RINGWOOD, Registry, nearest};
use ringwood_base::{Error, Result, Shared};
use ringwood_ir::print::Dialect;

/// What the devices of one backend run: what names it, and what it declared to take beside that.
struct Served<'a> {
    backend: &'a str,
    kernels_of: &'static [&'static str],
    dialect: Option<&'static Dialect>,
}

impl<'a> Served<'a> {
    fn new(registry: &Registry, backend: &'a str) -> Self {
        let def = entry_of(registry, backend).map(|(_, def)| def);
        let kernels_of = def.map_or(&[][..], |def| def.kernels_of);
        let dialect = def.and_then(|def| def.dialect).or_else(|| Dialect::named(backend));
        let dialect = dialect.or_else(|| Dialect::named(kernels_of.first()?));
        Self { backend, kernels_of, dialect }
    }

    /// How far behind others an item is for the backend: 0 if it names it; `None` if the devices do not
    /// run it.
    fn rank(&self, def: &KernelDef) -> Option<usize> {
        if def.devices.contains(&self.backend) {
            return Some(0);
        }
        let like = self.kernels_of.iter().position(|other| def.devices.contains(other))?;
        def.instances.iter().all(|instance| self.takes(instance)).then_some(like + 1)
    }

    /// Whether there is something of an instance that the devices take.
    fn takes(&self, instance: &Instance) -> bool {
        let Some(dialect) = self.dialect else { return instance.native.is_some() };
        let texts = instance.sources.map_or(&[][..], |sources| sources.texts);
        instance.ir.is_some() || texts.iter().any(|text| text.backend == dialect.name)
    }

    /// The item that the devices run, of several of one kernel.
    fn pick(&self, items: &[Entry]) -> Option<Shared<KernelDef>> {
        let ranked = items.iter().filter_map(|entry| Some((self.rank(entry.item()?)?, entry)));
        ranked.min_by_key(|(rank, _)| *rank)?.1.shared()
    }
}

fn entry_of<'a>(registry: &'a Registry, backend: &str) -> Option<(&'a Entry, &'a BackendDef)> {
    registry.of::<BackendDef>().find(|(_, def)| def.name == backend)
}

/// The dialect of C that the devices of `backend` compile kernels from: what `#[backend(dialect = …)]`
/// says, else that of the first backend whose kernels they take. `None` if they run native code.
///
/// ```
/// use ringwood_base::registry::Registry;
/// use ringwood_device::backend::dialect;
///
/// let registry = Registry::builder().build()?;
/// assert_eq!(dialect(&registry, "opencl").map(|dialect| dialect.name), Some("opencl"));
/// assert!(dialect(&registry, "cpu").is_none());
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub fn dialect(registry: &Registry, backend: &str) -> Option<&'static Dialect> {
    Served::new(registry, backend).dialect
}

/// The kernel of that package and name for devices of `backend`, if there is one: an item that names the
/// backend, else one for a backend whose kernels its devices take.
pub fn find_exact(
    registry: &Registry,
    package: &str,
    name: &str,
    backend: &str,
) -> Option<Shared<KernelDef>> {
    Served::new(registry, backend).pick(registry.of_package::<KernelDef>(package, name))
}

/// The kernel called `name` for devices of `backend`, as [`find_exact`].
///
/// # Errors
/// No such kernel, or none for this backend; the error names the backends it exists for, where it is
/// declared, and what to do.
pub fn find(registry: &Registry, name: &str, backend: &str) -> Result<Shared<KernelDef>> {
    let items = registry.declared::<KernelDef>(name)?;
    let found = Served::new(registry, backend).pick(items);
    found.ok_or_else(|| {
        let def = items[0].item().expect("an entry holds an item of its kind");
        missing(registry, def, backend, backend)
    })
}

/// Whether the devices of `backend` run this item of a kernel, be it registered or not.
pub(crate) fn serves(registry: &Registry, def: &KernelDef, backend: &str) -> bool {
    Served::new(registry, backend).rank(def).is_some()
}

/// The backends whose devices run an item of a kernel: those that it names, then those that take it as
/// one of another backend.
pub fn backends(registry: &Registry, item: &KernelDef) -> Vec<&'static str> {
    let items = registry.of_package::<KernelDef>(item.meta.package, item.meta.name);
    let takes = |backend: &&str| {
        let taken = Served::new(registry, backend).pick(items);
        taken.is_some_and(|taken| std::ptr::eq(&*taken, item))
    };
    let others = registry.of::<BackendDef>().map(|(_, def)| def.name);
    let others = others.filter(|name| !item.devices.contains(name)).filter(takes);
    item.devices.iter().copied().chain(others).collect()
}

/// The error of a kernel, one of whose items is `def`, that `device` of `backend` does not run.
pub(crate) fn missing(registry: &Registry, def: &KernelDef, backend: &str, device: &str) -> Error {
    let items = registry.of_package::<KernelDef>(def.meta.package, def.meta.name);
    let registered = items.iter().filter_map(Entry::item::<KernelDef>);
    let mut known: Vec<_> = registered.chain([def]).flat_map(|def| def.devices).copied().collect();
    known.sort_unstable();
    known.dedup();
    let (name, listed) = (def.meta.name, known.join(", "));
    let message = format!("no kernel `{name}` for device `{device}`; it exists for {listed}");
    let place = format!("{}:{}", def.meta.file, def.meta.line);
    let module = items.first().map_or(def.meta.package, |entry| entry.meta().module_path);
    let help = unknown_backends(registry, &known)
        .unwrap_or_else(|| ways(registry, backend, &format!("{}::{name}", public(module))));
    Error::not_found(message).with("declared at", place).help(help)
}

/// A module as programs name it: those of Ringwood's crates by the facade.
fn public(module: &str) -> String {
    let prefix = format!("{RINGWOOD}_");
    match module.strip_prefix(&prefix) {
        Some(module) => format!("{RINGWOOD}::{module}"),
        None => module.to_owned(),
    }
}

/// How the devices of a backend come to run the kernel at `path`, or a graph to do without.
fn ways(registry: &Registry, backend: &str, path: &str) -> String {
    let mut ways = format!(
        "write it, in any crate: #[kernel(device = {backend}, implements = {path})]; in a graph, \
         `Planner::fallback` gives such nodes to other devices"
    );
    if let Some((entry, def)) = entry_of(registry, backend)
        && def.kernels_of.is_empty()
        && entry.meta().package != RINGWOOD
    {
        let EntryMeta { file, line, .. } = entry.meta();
        ways += &format!(
            "; or have all kernels of a backend: #[backend(name = \"{backend}\", kernels_of = cpu)] \
             at {file}:{line}"
        );
    }
    ways
}

/// Says which name in a declaration is near that of a backend, or that none is one, and what the backends are.
fn unknown_backends(registry: &Registry, devices: &[&str]) -> Option<String> {
    let known: Vec<_> = registry.of::<BackendDef>().map(|(_, backend)| backend.name).collect();
    let mut strange = devices.iter().filter(|device| !known.contains(device));
    let near = |device: &&str| {
        let near = nearest(device, &known)?;
        Some(format!("`device = …` names `{device}`: did you mean the backend `{near}`?"))
    };
    if known.is_empty() || strange.clone().count() < devices.len() {
        return strange.find_map(near);
    }
    let (devices, known) = (devices.join("`, `"), known.join(", "));
    Some(format!("`device = …` names backends: there is none called `{devices}`, but {known}"))
}

#[cfg(test)]
mod tests;
