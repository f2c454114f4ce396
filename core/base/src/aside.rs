//! Files that are written aside, under a name with the process and a number, before they get their own.

use std::fs::{self, DirEntry};
use std::time::Duration;

/// After this time a file that was written aside has no writer any more.
pub const ABANDONED: Duration = Duration::from_secs(3600);

/// Removes a file that nobody has written to for an hour, if its name is `begin`, a number, `between`, a number and `end`.
pub fn remove_abandoned(file: &DirEntry, begin: &str, between: &str, end: &str) {
    let name = file.file_name();
    let numbers = name
        .to_str()
        .and_then(|name| name.strip_prefix(begin)?.strip_suffix(end)?.split_once(between));
    let is_aside = numbers.is_some_and(|(a, b)| [a, b].iter().all(|n| n.parse::<u64>().is_ok()));
    let modified = || file.metadata().and_then(|file| file.modified()).ok()?.elapsed().ok();
    if is_aside && modified().is_some_and(|age| age > ABANDONED) {
        let _ = fs::remove_file(file.path());
    }
}
