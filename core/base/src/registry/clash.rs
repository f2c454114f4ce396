//! Items that cannot both have their name.

use super::kind::Names;
use super::{Entry, EntryMeta};
use crate::{Error, Result};

/// Two items that cannot both have their name.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{noun} `{}` {what}: at {}:{} and at {}:{}", .first.shown_name(), .first.file, .first.line, .second.file, .second.line)]
struct Clash<'a> {
    noun: String,
    what: String,
    first: EntryMeta<'a>,
    second: EntryMeta<'a>,
}

impl<'a> Clash<'a> {
    /// What is wrong with two entries of one kind and name, if anything.
    fn of(a: &'a Entry, b: &'a Entry) -> Option<Self> {
        let of_package = a.erased().names() == Names::OfPackage;
        if of_package && a.meta().package != b.meta().package {
            return None;
        }
        let what = a.erased().coexists(b.erased()).err()?;
        Some(Self { noun: a.noun(), what, first: a.meta(), second: b.meta() })
    }
}

/// Checks sorted entries.
///
/// # Errors
/// Some clash; the error names both places of each pair.
pub(super) fn check(entries: &[Entry]) -> Result<()> {
    let pairs = entries.iter().enumerate().flat_map(|(i, first)| {
        let same = entries[i + 1..].iter().take_while(|e| same_name(first, e));
        same.filter_map(|second| Clash::of(first, second))
    });
    let clashes: Vec<_> = pairs.map(|clash| clash.to_string()).collect();
    if clashes.is_empty() {
        return Ok(());
    }
    Err(Error::duplicate(clashes.join("; ")).help("rename one of them, or drop one crate"))
}

fn same_name(a: &Entry, b: &Entry) -> bool {
    (a.kind(), a.meta().name) == (b.kind(), b.meta().name)
}
