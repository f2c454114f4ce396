//! Bytes that another process maps, and that nobody changes any more.

use ringwood_base::{Error, ErrorKind, Result};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::ptr::{null_mut, slice_from_raw_parts};

/// Bytes in a file without a name, which another process has written and sealed: they are mapped, not
/// copied, and the file ends with the last process that holds it.
pub struct Parcel {
    base: *mut libc::c_void,
    bytes: usize,
}

// SAFETY: the bytes are read only, and sealed: nobody changes them.
unsafe impl Send for Parcel {}
// SAFETY: as above.
unsafe impl Sync for Parcel {}

/// Neither the size nor the bytes change.
const SEALS: libc::c_int =
    libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_WRITE | libc::F_SEAL_SEAL;

/// What each part begins at a multiple of.
const ALIGNMENT: usize = 64;

impl Parcel {
    /// Where the part after one that begins at `start` and has `bytes` bytes begins.
    pub fn after(start: usize, bytes: usize) -> usize {
        (start + bytes).next_multiple_of(ALIGNMENT)
    }

    /// A file with these parts, each where [`Parcel::after`] says; to be sent to another process.
    ///
    /// # Errors
    /// The system does not give so much memory.
    pub fn write<B: AsRef<[u8]>>(parts: &[B]) -> Result<OwnedFd> {
        let total: usize = parts.iter().map(|part| part.as_ref().len()).sum();
        write(parts).map_err(|cause| {
            let message = format!("no {total} bytes of memory for a message to another process");
            Error::new(ErrorKind::OutOfMemory, message).because(cause)
        })
    }

    /// Maps a file that another process has written.
    ///
    /// # Errors
    /// It is not sealed, or cannot be mapped.
    pub fn map(file: OwnedFd) -> Result<Self> {
        let file = File::from(file);
        // SAFETY: asks for the seals of an open file.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        if seals < 0 || seals & SEALS != SEALS {
            let message = "a message of another process brings memory that is not sealed";
            return Err(Error::new(ErrorKind::Protocol, message));
        }
        let fails = |cause| {
            let message = "cannot map the memory that a message of another process brings";
            Error::new(ErrorKind::OutOfMemory, message).because(cause)
        };
        let bytes = file.metadata().map_err(fails)?.len() as usize;
        if bytes == 0 {
            return Ok(Self { base: null_mut(), bytes });
        }
        let fd = file.as_raw_fd();
        // SAFETY: maps a whole open file at an address that the system chooses.
        let base =
            unsafe { libc::mmap(null_mut(), bytes, libc::PROT_READ, libc::MAP_SHARED, fd, 0) };
        if base == libc::MAP_FAILED {
            return Err(fails(io::Error::last_os_error()));
        }
        Ok(Self { base, bytes })
    }
}

impl AsRef<[u8]> for Parcel {
    fn as_ref(&self) -> &[u8] {
        if self.bytes == 0 {
            return &[];
        }
        // SAFETY: the mapping has so many bytes, and the seals keep them as they are.
        unsafe { &*slice_from_raw_parts(self.base.cast::<u8>(), self.bytes) }
    }
}

impl Drop for Parcel {
    fn drop(&mut self) {
        if self.bytes > 0 {
            // SAFETY: unmaps what `map` mapped; whoever reads the bytes borrows this value.
            unsafe { libc::munmap(self.base, self.bytes) };
        }
    }
}

fn write<B: AsRef<[u8]>>(parts: &[B]) -> io::Result<OwnedFd> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: the name is a C string.
    let fd = unsafe { libc::memfd_create(c"ringwood-parcel".as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and nobody else's.
    let mut file = unsafe { File::from_raw_fd(fd) };
    for part in parts.iter().map(AsRef::as_ref) {
        file.write_all(part)?;
        file.write_all(&[0; ALIGNMENT][..Parcel::after(0, part.len()) - part.len()])?;
    }
    // SAFETY: adds seals to an open file.
    match unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, SEALS) } {
        0 => Ok(file.into()),
        _ => Err(io::Error::last_os_error()),
    }
}
