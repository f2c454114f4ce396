//! Files that a command writes when its work is done.

use crate::{Error, Result};
use std::fs::{self, File};
use std::path::Path;

/// Checks that a file can be written, which shall not be found when the work is done.
///
/// # Errors
/// Its folder is none, or takes no files; it is a folder itself.
pub(super) fn check(path: &Path) -> Result<()> {
    let failed = |why: String| {
        let message = format!("{} cannot be written: {why}", path.display());
        Error::unavailable(message).help("give a file in a folder that is there and takes files")
    };
    if path.is_dir() {
        return Err(failed("it is a folder".into()));
    }
    if is_device(path) {
        return Ok(());
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let probe = target.with_file_name(format!(".ringwood-{}", std::process::id()));
    match File::create(&probe) {
        Ok(_) => fs::remove_file(&probe)
            .map_err(|cause| failed(format!("{} stays", probe.display())).because(cause)),
        Err(cause) => {
            let folder = probe.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).display();
            Err(failed(format!("the folder {folder} takes no file")).because(cause))
        }
    }
}

/// Writes a file, which takes its name when it is whole.
///
/// # Errors
/// It cannot be written.
pub(super) fn replace(path: &Path, contents: &[u8]) -> Result<()> {
    ringwood_models::__private::write(path, [contents])
}

/// Checks that a file has the ending of its format, by which other commands know it.
///
/// # Errors
/// It has another one, or none.
pub(super) fn check_ending(option: &str, path: &Path, ending: &str) -> Result<()> {
    if ends_in(path, ending) || is_device(path) {
        return Ok(());
    }
    let message = format!("`{option} {}` does not end in `.{ending}`", path.display());
    let named = path.with_extension(ending);
    Err(Error::invalid(message)
        .help(format!("files are known by their endings: `{option} {}`", named.display())))
}

/// Whether a file has an ending, as those who read it look for it.
pub(super) fn ends_in(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|has| has.eq_ignore_ascii_case(ending))
}

/// Whether this is a device or a pipe, which is written as it is.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}
