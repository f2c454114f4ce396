//! Waiting for several files at once.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

/// Waits until one of these files can be read, has ended or, where the flag says so, can be written;
/// which of them. None if the time is over, or a signal came.
///
/// # Errors
/// See `poll(2)`.
pub fn poll(files: &[(BorrowedFd<'_>, bool)], within: Duration) -> io::Result<Vec<bool>> {
    let interest = |&(file, write): &(BorrowedFd<'_>, bool)| libc::pollfd {
        fd: file.as_raw_fd(),
        events: libc::POLLIN | if write { libc::POLLOUT } else { 0 },
        revents: 0,
    };
    let mut all: Vec<_> = files.iter().map(interest).collect();
    // Rounded up: a wait of less than a millisecond would be none.
    let millis = within.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
    // SAFETY: the array lives through the call, and has so many elements.
    let ready = unsafe { libc::poll(all.as_mut_ptr(), all.len() as libc::nfds_t, millis) };
    if ready < 0 {
        let cause = io::Error::last_os_error();
        if cause.kind() != io::ErrorKind::Interrupted {
            return Err(cause);
        }
    }
    Ok(all.iter().map(|file| ready > 0 && file.revents != 0).collect())
}
