//! Files as memory.
#![allow(unsafe_code)]

use bytes::Bytes;
use memmap2::Mmap;
use ringwood_base::{Error, ErrorKind, Result};
use std::fs::File;
use std::path::Path;

/// The bytes of a file, mapped: they are read when they are first looked at, and shared, not copied.
///
/// As long as they are held, no program may change the file in place: what is then read is not specified,
/// and reading beyond the end of a file that was cut ends the process. A new file under its name is no change.
///
/// # Errors
/// There is no such file, or it cannot be mapped.
pub(crate) fn map(path: &Path) -> Result<Bytes> {
    let failed = |kind, cause: std::io::Error| {
        let message = format!("{} cannot be read", path.display());
        Error::new(kind, message).because(cause)
    };
    let about = path.metadata().map_err(|cause| failed(ErrorKind::NotFound, cause))?;
    // Before the file is opened: who opens a pipe waits for its other end.
    if !about.is_file() {
        return Err(Error::invalid(format!("{} is no file", path.display())));
    }
    let file = File::open(path).map_err(|cause| failed(ErrorKind::NotFound, cause))?;
    // SAFETY: the map is read-only, and read as bytes, of which every value is valid. This crate changes no
    // file in place: `file::write` puts a new one under the name. That no other program does is what loading
    // asks of its caller.
    let map = unsafe { Mmap::map(&file) }.map_err(|cause| failed(ErrorKind::Unavailable, cause))?;
    Ok(Bytes::from_owner(map))
}
