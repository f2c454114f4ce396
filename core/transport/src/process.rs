//! What processes of one machine need of the system beyond the standard library: files that travel
//! over a stream, memory that nobody changes any more, waits for several streams.

mod descriptors;
mod parcel;
mod poll;

pub use descriptors::{receive, send};
pub use parcel::Parcel;
pub use poll::poll;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::net::UnixStream;

/// The stream that is the standard input of this process, if it is one of the Unix domain. From then
/// on the standard input is empty, and programs that this process starts do not get the stream.
///
/// # Errors
/// The system has no more descriptors.
pub fn take_input() -> io::Result<Option<UnixStream>> {
    let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    if stream.local_addr().is_err() {
        return Ok(None);
    }
    let nothing = File::open("/dev/null")?;
    // SAFETY: both descriptors are open; what stood at 0 is kept by `stream`.
    match unsafe { libc::dup2(nothing.as_raw_fd(), 0) } {
        0 => Ok(Some(stream)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Asks the system to kill this process when the thread that started it ends: also if this one is
/// stopped then, and sees no stream close.
pub fn end_with_parent() {
    // SAFETY: sets a property of this process; no pointer is passed.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) };
}

/// Nanoseconds on the clock that all processes of the machine share, as of its last tick.
pub fn coarse_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the system writes one value, which lives through the call.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Ends this process at once, from any thread, without the functions that it has registered for its end: they may
/// wait for what another thread does.
pub fn leave(code: i32) -> ! {
    // SAFETY: ends the process; nothing is accessed afterwards.
    unsafe { libc::_exit(code) }
}

#[cfg(test)]
mod tests;
