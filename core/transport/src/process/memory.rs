//! Files in memory: they have no name, end with the last process that holds them, and are sealed, so that no process
//! takes from others what it has promised.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};
use std::ffi::CStr;
use std::fs::File;
use std::io;

/// A file in memory, filled and then sealed; the system shows it under a name.
pub(crate) fn create(
    name: &CStr,
    seals: SealFlags,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<File> {
    let mut file = File::from(memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    fill(&mut file)?;
    fcntl_add_seals(&file, seals)?;
    Ok(file)
}

/// Whether a file that another process has made has these seals.
pub(crate) fn is_sealed(file: &File, seals: SealFlags) -> bool {
    fcntl_get_seals(file).is_ok_and(|found| found.contains(seals))
}
