//! The kernels of a registry, by name and backend.

use super::KernelDef;
use crate::__private::kernel::Named;
use crate::backend::BackendDef;
use ringwood_base::registry::{Entry, Kind, Registry};
use ringwood_base::{Error, ErrorKind, Result, Shared};

impl Kind for KernelDef {
    const NAME: &'static str = "kernel";

    fn devices(&self) -> &[&'static str] {
        self.devices
    }

    /// Several items may declare one kernel, with one signature, each for other devices.
    fn coexists(&self, other: &Self) -> Result<(), String> {
        if let Some(device) = self.devices.iter().find(|d| other.devices.contains(d)) {
            return Err(format!("is registered twice for device `{device}`"));
        }
        match self.same_signature(other) {
            true => Ok(()),
            false => Err("is declared with two different signatures".to_owned()),
        }
    }
}

/// A kernel by its package and name, whatever its devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelName {
    /// The package that declares it, as in a path.
    pub package: &'static str,
    /// Its name in the package.
    pub name: &'static str,
}

impl KernelName {
    /// The name of the kernel whose companion type is `K`: of `#[kernel] fn softmax`, that is `softmax`.
    #[must_use]
    pub const fn of<K: Named>() -> Self {
        Self { package: K::PACKAGE, name: K::NAME }
    }
}

/// Every declaration of the kernel `name`, whatever its devices.
///
/// # Errors
/// No such kernel; see [`Registry::entry`].
pub fn declarations<'a>(
    registry: &'a Registry,
    name: &str,
) -> Result<impl Iterator<Item = (&'a Entry, &'a KernelDef)> + Clone> {
    let entries = registry.declared::<KernelDef>(name)?;
    Ok(entries.iter().filter_map(|entry| Some((entry, entry.item::<KernelDef>()?))))
}

/// The kernel of an entry, if it is for devices of `backend`.
fn serving(entry: &Entry, backend: &str) -> Option<Shared<KernelDef>> {
    entry.item::<KernelDef>()?.devices.contains(&backend).then(|| entry.shared())?
}

/// The kernel of that package and name for devices of `backend`, if there is one.
pub fn find_exact(
    registry: &Registry,
    package: &str,
    name: &str,
    backend: &str,
) -> Option<Shared<KernelDef>> {
    registry.of_package::<KernelDef>(package, name).iter().find_map(|entry| serving(entry, backend))
}

/// Says which of the names in a declaration no backend has, and what the backends are.
pub(crate) fn unknown_backends(registry: &Registry, devices: &[&str]) -> Option<String> {
    let known: Vec<_> = registry.of::<BackendDef>().map(|(_, backend)| backend.name).collect();
    let unknown = devices.iter().find(|device| !known.is_empty() && !known.contains(device))?;
    let known = known.join(", ");
    Some(format!("`device = …` names backends: there is none called `{unknown}`, but {known}"))
}

/// The kernel called `name` for devices of `backend`.
///
/// # Errors
/// No such kernel, or none for this backend; the error names the backends it exists for and where
/// it is declared.
pub fn find(registry: &Registry, name: &str, backend: &str) -> Result<Shared<KernelDef>> {
    let declared = declarations(registry, name)?;
    if let Some(def) = declared.clone().find_map(|(entry, _)| serving(entry, backend)) {
        return Ok(def);
    }
    let meta = registry.entry::<KernelDef>(name)?.meta();
    let devices: Vec<_> = declared.flat_map(|(_, def)| def.devices.iter().copied()).collect();
    let (name, known) = (meta.shown_name(), devices.join(", "));
    let message = format!("no kernel `{name}` for device `{backend}`; it exists for {known}");
    let add = format!(
        "add `{backend}` to #[kernel(device = …)] at {}:{}, or place the node elsewhere",
        meta.file, meta.line
    );
    let unknown = unknown_backends(registry, &devices);
    Err(Error::new(ErrorKind::NotFound, message).help(unknown.unwrap_or(add)))
}
