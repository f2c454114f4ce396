//! The stream that a process was started with.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
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
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok(Some(stream))
}
