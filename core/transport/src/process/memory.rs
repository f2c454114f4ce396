//! Files in memory: they have no name, end with the last process that holds them, and are sealed, so that no process
//! takes from others what it has promised.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fcntl_get_seals, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::ptr::{NonNull, null_mut};

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

/// A whole file, mapped; it begins at a page.
pub(crate) struct Mapping {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping stays where it is until the value is dropped; what is reached there is the matter of who does.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps the `bytes` bytes of a file, for others to see what is written there.
    pub(crate) fn new(file: &File, bytes: usize, access: ProtFlags) -> io::Result<Self> {
        if bytes == 0 {
            return Ok(Self { base: NonNull::dangling(), bytes });
        }
        // SAFETY: maps a whole open file at an address that the system chooses.
        let base = unsafe { mmap(null_mut(), bytes, access, MapFlags::SHARED, file, 0)? };
        let base = NonNull::new(base.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Self { base, bytes })
    }

    /// The first byte.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.bytes > 0 {
            // SAFETY: unmaps what `new` mapped; whoever uses the memory holds this value.
            let _ = unsafe { munmap(self.base.as_ptr().cast(), self.bytes) };
        }
    }
}
