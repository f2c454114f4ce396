//! Sockets of the Unix domain, between processes of one user alone.

use std::io;
use std::mem::{offset_of, size_of, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

/// Connects without waiting for a place in the listener's queue, to a listener of this user.
///
/// # Errors
/// Nobody listens, the queue is full ([`WouldBlock`](io::ErrorKind::WouldBlock)), or another user
/// listens.
pub(super) fn connect(path: &Path) -> io::Result<UnixStream> {
    // SAFETY: all bytes of an address may be 0.
    let mut address: libc::sockaddr_un = unsafe { zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    let name = path.as_os_str().as_bytes();
    if name.len() >= address.sun_path.len() || name.contains(&0) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    for (to, from) in address.sun_path.iter_mut().zip(name) {
        *to = *from as libc::c_char;
    }
    let length = offset_of!(libc::sockaddr_un, sun_path) + name.len() + 1;
    // SAFETY: the call takes no memory; what it returns is open and nobody else's.
    let socket = unsafe {
        let socket = libc::socket(libc::AF_UNIX, libc::SOCK_STREAM, 0);
        if socket < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(socket)
    };
    let stream = UnixStream::from(socket);
    close_on_exec(&stream)?;
    stream.set_nonblocking(true)?;
    let at = (&raw const address).cast::<libc::sockaddr>();
    // SAFETY: the address is as long as is said, and lives through the call.
    if unsafe { libc::connect(stream.as_raw_fd(), at, length as libc::socklen_t) } != 0 {
        return Err(io::Error::last_os_error());
    }
    stream.set_nonblocking(false)?;
    if is_ours(&stream) { Ok(stream) } else { Err(io::ErrorKind::PermissionDenied.into()) }
}

fn close_on_exec(stream: &UnixStream) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the call takes a number.
    match unsafe { libc::fcntl(stream.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Whether the process at the other end is of this user.
pub(super) fn is_ours(stream: &UnixStream) -> bool {
    // SAFETY: the call takes nothing.
    peer(stream).is_some_and(|user| user == unsafe { libc::geteuid() })
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn peer(stream: &UnixStream) -> Option<libc::uid_t> {
    // SAFETY: all bytes of credentials may be 0.
    let mut peer: libc::ucred = unsafe { zeroed() };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    let (level, name, value) = (libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut peer).cast());
    // SAFETY: the value has room for as many bytes as are said.
    let got = unsafe { libc::getsockopt(stream.as_raw_fd(), level, name, value, &raw mut length) };
    (got == 0).then_some(peer.uid)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn peer(stream: &UnixStream) -> Option<libc::uid_t> {
    let (mut user, mut group) = (0, 0);
    // SAFETY: both numbers live through the call.
    let got = unsafe { libc::getpeereid(stream.as_raw_fd(), &raw mut user, &raw mut group) };
    (got == 0).then_some(user)
}
