//! Items by the names that people type.

use super::output::Output;
use crate::Result;
use crate::backend::BackendDef;
use crate::collective::{Collective, CollectiveDef};
use crate::registry::{Kind, Registry};

/// The item called `name`; where several packages have one, a line says which is taken.
///
/// # Errors
/// See [`Registry::entry`].
pub(super) fn find<K: Kind>(name: &str, output: &Output) -> Result<&'static K> {
    let registry = Registry::global()?;
    let entry = registry.entry::<K>(name)?;
    let others: Vec<_> = registry.also(entry).map(|other| other.meta().full_name()).collect();
    if !name.contains("::") && !others.is_empty() {
        output.note(format_args!("{} (also {})", entry.meta().full_name(), others.join(", ")));
    }
    registry.find(&entry.meta().full_name())
}

/// The collective called `name`, as [`find`] takes it.
///
/// # Errors
/// See [`find`]; it describes itself by another name than its own.
pub(super) fn collective(name: &str, output: &Output) -> Result<&'static dyn Collective> {
    find::<CollectiveDef>(name, output)?.called(Registry::global()?.entry::<CollectiveDef>(name)?)
}

/// Checks that there is a backend called `name`.
///
/// # Errors
/// There is none: a device is none either.
pub(super) fn backend(name: &str) -> Result<()> {
    Registry::global()?.find::<BackendDef>(name).map(drop).map_err(|error| {
        match name.split_once(':') {
            Some((backend, _)) => {
                error.help(format!("give a backend, as in `{backend}`, not one of its devices"))
            }
            None => error,
        }
    })
}
