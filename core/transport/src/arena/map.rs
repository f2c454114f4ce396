//! A file in memory that several processes map.

use ringwood_base::{Error, ErrorKind, Result};
use std::ffi::CStr;
use std::fs::{File, OpenOptions, Permissions};
use std::hint::black_box;
use std::io;
use std::io::ErrorKind::{NotFound, PermissionDenied};
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU8, Ordering};

/// A file in memory, mapped for reading and writing by this process and by others.
///
/// The file has no name in any directory, so nothing is left behind however its processes end, and
/// its size is sealed, so no process can take memory away from another one.
pub(crate) struct Map {
    file: File,
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the mapping stays where it is until the value is dropped; what is shared in it are atomics,
// and bytes that are reached by the protocol of the arena's board.
unsafe impl Send for Map {}
// SAFETY: as above.
unsafe impl Sync for Map {}

impl Map {
    /// A new file of `bytes` bytes, all 0.
    ///
    /// # Errors
    /// The system does not give so much memory.
    pub(crate) fn create(bytes: usize) -> Result<Self> {
        Self::named(c"ringwood-arena", bytes)
    }

    /// [`Map::create`] of a file that the system shows under a name, after [`SHARED`].
    pub(crate) fn named(name: &CStr, bytes: usize) -> Result<Self> {
        let file = create_file(name, bytes).map_err(|cause| {
            let message = format!("no {bytes} bytes of memory that processes share");
            Error::new(ErrorKind::OutOfMemory, message).because(cause)
        })?;
        Self::of(file, bytes)
    }

    /// The file at `path`, the [`Map::path`] of another process.
    ///
    /// # Errors
    /// There is no such file, or it is not one that [`Map::create`] made.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = open(path)?;
        let wrong = || {
            let message = format!("`{}` is not an arena", path.display());
            Error::new(ErrorKind::Protocol, message)
        };
        // Without the seals the memory could vanish while it is read.
        // SAFETY: asks for the seals of an open file.
        let seals = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GET_SEALS) };
        if seals < 0 || seals & SEALS != SEALS {
            return Err(wrong());
        }
        let bytes = file.metadata().map_err(|cause| wrong().because(cause))?.len();
        Self::of(file, usize::try_from(bytes).map_err(|_| wrong())?)
    }

    fn of(file: File, bytes: usize) -> Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: maps a whole open file at an address that the system chooses.
        let base =
            unsafe { libc::mmap(null_mut(), bytes, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        let mapped = (base != libc::MAP_FAILED).then(|| NonNull::new(base.cast::<u8>())).flatten();
        let Some(base) = mapped else {
            let message = format!("cannot map {bytes} bytes of shared memory");
            let cause = io::Error::last_os_error();
            return Err(Error::new(ErrorKind::OutOfMemory, message).because(cause));
        };
        Ok(Self { file, base, bytes })
    }

    /// Parts from the other processes that map the file: what this one has in memory stays as it is,
    /// where it is, and what others write from now on does not reach it.
    pub(crate) fn retire(&self) {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let (base, fd) = (self.base.as_ptr(), self.file.as_raw_fd());
        let flags = libc::MAP_PRIVATE | libc::MAP_FIXED;
        // SAFETY: puts a private mapping of the same file in the place of the one that `of` made: the
        // same bytes, and other threads that use them meanwhile wait for it.
        let mapped = unsafe { libc::mmap(base.cast(), self.bytes, access, flags, fd, 0) };
        if mapped == libc::MAP_FAILED {
            // Nothing has changed: the system is out of memory for its own tables.
            return;
        }
        for at in (0..self.bytes).step_by(PAGE) {
            // SAFETY: the byte is mapped, and reached as an atomic for the time of the exchange, which
            // changes no value. A private page is the file's until it is written for the first time.
            let byte = unsafe { AtomicU8::from_ptr(base.add(at)) };
            let value = black_box(byte.load(Ordering::Relaxed));
            let _ = byte.compare_exchange(value, value, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// The first byte; the mapping begins at a page.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// The size.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The descriptor.
    pub(crate) fn number(&self) -> RawFd {
        self.file.as_raw_fd()
    }

    /// Where other processes of this user find the file, as long as this value exists.
    pub(crate) fn path(&self) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd()).into()
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

impl Drop for Map {
    fn drop(&mut self) {
        // SAFETY: unmaps what `of` mapped; whoever uses the memory holds this value.
        unsafe { libc::munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

/// The size is fixed for good.
const SEALS: libc::c_int = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;

fn create_file(name: &CStr, bytes: usize) -> io::Result<File> {
    let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
    // SAFETY: the name is a C string.
    let fd = unsafe { libc::memfd_create(name.as_ptr(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and nobody else's.
    let file = unsafe { File::from_raw_fd(fd) };
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.set_len(bytes as u64)?;
    // SAFETY: adds seals to an open file.
    match unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, SEALS) } {
        0 => Ok(file),
        _ => Err(io::Error::last_os_error()),
    }
}

fn open(path: &Path) -> Result<File> {
    OpenOptions::new().read(true).write(true).open(path).map_err(|cause| {
        let message = format!("cannot open the arena at `{}`", path.display());
        let gone = matches!(cause.kind(), NotFound | PermissionDenied);
        if !gone {
            return Error::new(ErrorKind::Unavailable, message).because(cause);
        }
        Error::new(ErrorKind::NotFound, message)
            .because(cause)
            .help("the process that made it must be of this user and still run")
    })
}

#[cfg(test)]
mod tests;
