//! Items that cannot both have their name.

use super::Entry;
use super::kind::Names;
use crate::{Error, Result};

/// What is wrong with two entries of one kind and name, if anything.
fn clash(a: &Entry, b: &Entry) -> Option<String> {
    let (first, second) = (a.meta(), b.meta());
    if a.erased().names() == Names::OfPackage && first.package != second.package {
        return None;
    }
    let what = a.erased().coexists(b.erased()).err()?;
    let (noun, name) = (a.noun(), first.shown_name());
    let places = [first, second].map(|meta| format!("at {}:{}", meta.file, meta.line));
    Some(format!("{noun} `{name}` {what}: {}", places.join(" and ")))
}

/// Checks sorted entries.
///
/// # Errors
/// Some clash; the error names both places of each pair.
pub(super) fn check(entries: &[Entry]) -> Result<()> {
    let clashes = entries.iter().enumerate().flat_map(|(i, first)| {
        let same = entries[i + 1..].iter().take_while(|e| same_name(first, e));
        same.filter_map(|second| clash(first, second))
    });
    let clashes: Vec<_> = clashes.collect();
    if clashes.is_empty() {
        return Ok(());
    }
    Err(Error::duplicate(clashes.join("; ")).help("rename one of them, or drop one crate"))
}

fn same_name(a: &Entry, b: &Entry) -> bool {
    (a.kind(), a.meta().name) == (b.kind(), b.meta().name)
}
