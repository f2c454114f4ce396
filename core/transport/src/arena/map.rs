//! A file in memory that several processes map.

use crate::process::memory::{create, is_sealed};
use memmap2::{MmapOptions, MmapRaw};
use ringwood_base::{Error, Result};
use rustix::fs::SealFlags;
use rustix::mm::{MapFlags, ProtFlags, mmap};
use std::ffi::CStr;
use std::fs::{File, OpenOptions, Permissions};
use std::hint::black_box;
use std::io::ErrorKind::{NotFound, PermissionDenied};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

/// A file in memory, mapped for reading and writing by this process and by others.
///
/// The file has no name in any directory, so nothing is left behind however its processes end, and
/// its size is sealed, so no process can take memory away from another one. What is shared in it are atomics,
/// and bytes that are reached by the protocol of the arena's board.
pub(crate) struct Map {
    file: File,
    memory: MmapRaw,
}

/// The size is fixed for good.
const SEALS: SealFlags = SealFlags::SHRINK.union(SealFlags::GROW).union(SealFlags::SEAL);

impl Map {
    /// A new file of `bytes` bytes, all 0; an error if the system does not give so much memory.
    pub(crate) fn create(bytes: usize) -> Result<Self> {
        Self::named(c"ringwood-arena", bytes)
    }

    /// [`Map::create`] of a file that the system shows under a name, after [`SHARED`].
    pub(crate) fn named(name: &CStr, bytes: usize) -> Result<Self> {
        let fill = |file: &mut File| {
            file.set_permissions(Permissions::from_mode(0o600))?;
            file.set_len(bytes as u64)
        };
        let file = create(name, SEALS, fill).map_err(|cause| {
            let message = format!("no {bytes} bytes of memory that processes share");
            Error::out_of_memory(message).because(cause)
        })?;
        Self::of(file, bytes)
    }

    /// The file at `path`, the [`Map::path`] of another process; an error if it is none that [`Map::create`] made.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = open(path)?;
        let wrong = || Error::protocol(format!("`{}` is not an arena", path.display()));
        // Without the seals the memory could vanish while it is read.
        if !is_sealed(&file, SEALS) {
            return Err(wrong());
        }
        let bytes = file.metadata().map_err(|cause| wrong().because(cause))?.len();
        Self::of(file, usize::try_from(bytes).map_err(|_| wrong())?)
    }

    fn of(file: File, bytes: usize) -> Result<Self> {
        let memory = MmapOptions::new().len(bytes).map_raw(&file).map_err(|cause| {
            let message = format!("cannot map {bytes} bytes of shared memory");
            Error::out_of_memory(message).because(cause)
        })?;
        Ok(Self { file, memory })
    }

    /// The memory alone: the file is closed, and this process does not [retire](Map::retire) from it.
    pub(crate) fn into_memory(self) -> MmapRaw {
        self.memory
    }

    /// Parts from the other processes that map the file: what this one has in memory stays as it is,
    /// where it is, and what others write from now on does not reach it.
    pub(crate) fn retire(&self) {
        let (base, access) = (self.base().as_ptr(), ProtFlags::READ | ProtFlags::WRITE);
        let flags = MapFlags::PRIVATE | MapFlags::FIXED;
        // SAFETY: puts a private mapping of the same file in the place of the one that is there: the
        // same bytes, and other threads that use them meanwhile wait for it.
        let mapped = unsafe { mmap(base.cast(), self.bytes(), access, flags, &self.file, 0) };
        if mapped.is_err() {
            // Nothing has changed: the system is out of memory for its own tables.
            return;
        }
        for at in (0..self.bytes()).step_by(PAGE) {
            // SAFETY: the byte is mapped, and reached as an atomic for the time of the exchange, which
            // changes no value. A private page is the file's until it is written for the first time.
            let byte = unsafe { AtomicU8::from_ptr(base.add(at)) };
            let value = black_box(byte.load(Ordering::Relaxed));
            let _ = byte.compare_exchange(value, value, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// The first byte; the mapping begins at a page.
    pub(crate) fn base(&self) -> NonNull<u8> {
        NonNull::new(self.memory.as_mut_ptr()).expect("nothing is mapped at address 0")
    }

    pub(crate) fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// The descriptor.
    pub(crate) fn number(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Where other processes of this user find the file, as long as this value exists.
    pub(crate) fn path(&self) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), self.number()).into()
    }

    /// The file once more: with position and locks of its own.
    pub(crate) fn reopen(&self) -> Result<File> {
        open(&self.path())
    }
}

/// What the system puts before the name of a file in memory.
pub(crate) const SHARED: &str = "memfd:";

/// No page is smaller.
const PAGE: usize = 4096;

fn open(path: &Path) -> Result<File> {
    OpenOptions::new().read(true).write(true).open(path).map_err(|cause| {
        let message = format!("cannot open the arena at `{}`", path.display());
        let gone = matches!(cause.kind(), NotFound | PermissionDenied);
        if !gone {
            return Error::unavailable(message).because(cause);
        }
        Error::not_found(message)
            .because(cause)
            .help("the process that made it must be of this user, still run, and have a program that this user may read")
    })
}

#[cfg(test)]
mod tests;
