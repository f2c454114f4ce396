//! Items by the names that people type.

use super::output::Output;
use crate::Result;
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
