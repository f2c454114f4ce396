//! The kernels of a registry, by name and backend.

use super::KernelDef;
use ringwood_base::registry::{Entry, Kind, Registry};
use ringwood_base::{Error, ErrorKind, Result};

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

/// Every declaration of the kernel `name`, whatever its devices.
///
/// # Errors
/// No such kernel; see [`Registry::entry`].
pub fn declarations<'a>(
    registry: &'a Registry,
    name: &str,
) -> Result<impl Iterator<Item = (&'a Entry, &'static KernelDef)> + Clone> {
    let entries = registry.declared::<KernelDef>(name)?;
    Ok(entries.iter().filter_map(|entry| Some((entry, entry.item::<KernelDef>()?))))
}

/// The kernel of that package and name for devices of `backend`, if there is one.
pub fn find_exact(
    registry: &Registry,
    package: &str,
    name: &str,
    backend: &str,
) -> Option<&'static KernelDef> {
    let entries = registry.of_package::<KernelDef>(package, name);
    let mut defs = entries.iter().filter_map(Entry::item::<KernelDef>);
    defs.find(|def| def.devices.contains(&backend))
}

/// The kernel called `name` for devices of `backend`.
///
/// # Errors
/// No such kernel, or none for this backend; the error names the backends it exists for and where
/// it is declared.
pub fn find(registry: &Registry, name: &str, backend: &str) -> Result<&'static KernelDef> {
    let mut declared = declarations(registry, name)?;
    let all = declared.clone();
    if let Some((_, def)) = declared.find(|(_, def)| def.devices.contains(&backend)) {
        return Ok(def);
    }
    let devices: Vec<_> = all.clone().flat_map(|(_, def)| def.devices.iter().copied()).collect();
    let meta = registry.entry::<KernelDef>(name)?.meta;
    let (name, known) = (meta.shown_name(), devices.join(", "));
    let message = format!("no kernel `{name}` for device `{backend}`; it exists for {known}");
    Err(Error::new(ErrorKind::NotFound, message).help(format!(
        "add `{backend}` to #[kernel(device = …)] at {}:{}, or place the node elsewhere",
        meta.file, meta.line
    )))
}
