//! Two items that cannot both have their name.

use super::Entry;
use super::kind::Names;
use crate::{Error, ErrorKind, Result};

/// Checks sorted entries.
///
/// # Errors
/// Some clash; the error names both places of each pair.
pub(super) fn check(entries: &[Entry]) -> Result<()> {
    let pairs = entries.iter().enumerate().flat_map(|(i, first)| {
        let same = entries[i + 1..].iter().take_while(|e| same_name(first, e));
        same.filter_map(|second| clash(first, second))
    });
    let clashes: Vec<_> = pairs.collect();
    if clashes.is_empty() {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Duplicate, clashes.join("; "))
        .help("rename one of them, or drop one crate"))
}

fn same_name(a: &Entry, b: &Entry) -> bool {
    (a.kind(), a.meta.name) == (b.kind(), b.meta.name)
}

/// What is wrong with two entries of one kind and name, if anything.
fn clash(a: &Entry, b: &Entry) -> Option<String> {
    let of_package = a.erased().names() == Names::OfPackage;
    if of_package && a.meta.package != b.meta.package {
        return None;
    }
    let what = a.erased().coexists(b.erased()).err()?;
    let (noun, a, b) = (a.noun(), a.meta, b.meta);
    let places = format!("at {}:{} and at {}:{}", a.file, a.line, b.file, b.line);
    Some(format!("{noun} `{}` {what}: {places}", a.shown_name()))
}
