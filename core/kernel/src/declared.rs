//! The kernels of a registry, by name.

use super::KernelDef;
use ringwood_base::Result;
use ringwood_base::registry::{Entry, Kind, Registry};

impl Kind for KernelDef {
    const NAME: &'static str = "kernel";

    fn devices(&self) -> &[&'static str] {
        self.devices
    }

    /// Several items may declare one kernel, with one signature, each for other devices: all but one say
    /// that they implement it, which puts them into its module.
    fn coexists(&self, other: &Self) -> Result<(), String> {
        if let Some(device) = self.devices.iter().find(|d| other.devices.contains(d)) {
            return Err(format!("is registered twice for device `{device}`"));
        }
        if self.meta.module_path != other.meta.module_path {
            let what = "is declared by two items, and neither says `implements = …`, the path of the other";
            return Err(what.to_owned());
        }
        match self.same_signature(other) {
            true => Ok(()),
            false => Err("is declared with two different signatures".to_owned()),
        }
    }
}

/// A declared kernel, by its companion type.
pub trait Declared {
    /// The package that the kernel belongs to: that of the kernel that this item implements.
    const PACKAGE: &'static str;
    /// The module of that kernel.
    const MODULE: &'static str;
}

/// A kernel with one name, by its companion type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no kernel that an operator can name",
    note = "name an item with `#[kernel]` and without compile-time parameters, each of whose values is a kernel"
)]
pub trait Named: Declared {
    /// The name of the kernel.
    const NAME: &'static str;
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
