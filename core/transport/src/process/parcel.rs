//! Bytes that another process maps, and that nobody changes any more.

use super::memory::{create, is_sealed};
use memmap2::Mmap;
use ringwood_base::{Error, Result};
use rustix::fs::SealFlags;
use std::fs::File;
use std::io::Write;
use std::os::fd::OwnedFd;

/// Bytes in a file without a name, which another process has written and sealed: they are mapped, not
/// copied, and the file ends with the last process that holds it.
pub struct Parcel(Mmap);

/// Neither the size nor the bytes change.
const SEALS: SealFlags =
    SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::WRITE).union(SealFlags::SEAL);

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
        let fill = |file: &mut File| {
            parts.iter().map(AsRef::as_ref).try_for_each(|part| {
                file.write_all(part)?;
                file.write_all(&[0; ALIGNMENT][..Parcel::after(0, part.len()) - part.len()])
            })
        };
        create(c"ringwood-parcel", SEALS, fill).map(OwnedFd::from).map_err(|cause| {
            let message = format!("no {total} bytes of memory for a message to another process");
            Error::out_of_memory(message).because(cause)
        })
    }

    /// Maps a file that another process has written.
    ///
    /// # Errors
    /// It is not sealed, or cannot be mapped.
    pub fn map(file: OwnedFd) -> Result<Self> {
        let file = File::from(file);
        if !is_sealed(&file, SEALS) {
            let message = "a message of another process brings memory that is not sealed";
            return Err(Error::protocol(message));
        }
        // SAFETY: the seals keep the size and the bytes as they are.
        unsafe { Mmap::map(&file) }.map(Self).map_err(|cause| {
            let message = "cannot map the memory that a message of another process brings";
            Error::out_of_memory(message).because(cause)
        })
    }
}

impl AsRef<[u8]> for Parcel {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
