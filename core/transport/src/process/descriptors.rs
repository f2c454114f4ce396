//! Bytes and open files over a stream of the Unix domain.

use std::collections::VecDeque;
use std::io;
use std::mem::{size_of, zeroed};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::ptr::{from_mut, from_ref};

/// The most files that one receive takes.
const FILES: usize = 16;

/// Room for the message that holds descriptors, aligned for its header.
#[repr(C)]
union Room {
    header: libc::cmsghdr,
    bytes: [u8; 128],
}

/// Sends bytes, with an open file along with the first of them; how many were taken. A peer that is gone is an error, and
/// no signal.
///
/// # Errors
/// See `sendmsg(2)`: [`WouldBlock`](io::ErrorKind::WouldBlock) where the stream takes nothing, unless that is waited for.
pub fn send(
    stream: &UnixStream,
    bytes: &[u8],
    file: Option<BorrowedFd<'_>>,
    waits: bool,
) -> io::Result<usize> {
    let mut part = libc::iovec {
        iov_base: from_ref(bytes).cast::<u8>().cast_mut().cast(),
        iov_len: bytes.len(),
    };
    let mut room = Room { bytes: [0; 128] };
    // SAFETY: a header of zeros is an empty one.
    let mut message: libc::msghdr = unsafe { zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
    if let Some(file) = file {
        let size = size_of::<RawFd>() as libc::c_uint;
        message.msg_control = from_mut(&mut room).cast();
        // SAFETY: the macros compute sizes and addresses inside of `room`, which holds one descriptor and more.
        unsafe {
            message.msg_controllen = libc::CMSG_SPACE(size) as usize;
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size) as usize;
            libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(file.as_raw_fd());
        }
    }
    let flags = libc::MSG_NOSIGNAL | if waits { 0 } else { libc::MSG_DONTWAIT };
    // SAFETY: the stream is open, and what the header points to lives through the call.
    let sent = unsafe { libc::sendmsg(stream.as_raw_fd(), &raw const message, flags) };
    usize::try_from(sent).map_err(|_| io::Error::last_os_error())
}

/// Receives bytes, and the files that come with them; 0 bytes at the end of the stream.
///
/// # Errors
/// See `recvmsg(2)`: [`WouldBlock`](io::ErrorKind::WouldBlock) where there is nothing, unless that is waited for; more files at once than are taken.
pub fn receive(
    stream: &UnixStream,
    bytes: &mut [u8],
    files: &mut VecDeque<OwnedFd>,
    waits: bool,
) -> io::Result<usize> {
    let mut part = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: bytes.len() };
    let mut room = Room { bytes: [0; 128] };
    // SAFETY: a header of zeros is an empty one.
    let mut message: libc::msghdr = unsafe { zeroed() };
    (message.msg_iov, message.msg_iovlen) = (&raw mut part, 1);
    message.msg_control = from_mut(&mut room).cast();
    message.msg_controllen = size_of::<Room>();
    let flags = libc::MSG_CMSG_CLOEXEC | if waits { 0 } else { libc::MSG_DONTWAIT };
    // SAFETY: the stream is open, and what the header points to lives through the call.
    let got = unsafe { libc::recvmsg(stream.as_raw_fd(), &raw mut message, flags) };
    let got = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
    // SAFETY: the system has filled in the header, whose messages lie in `room`.
    let mut header = unsafe { libc::CMSG_FIRSTHDR(&raw const message) };
    // SAFETY: as above; a header that is not null is whole.
    while let Some(found) = unsafe { header.as_ref() } {
        if (found.cmsg_level, found.cmsg_type) == (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
            // SAFETY: computes a size.
            let data = found.cmsg_len - unsafe { libc::CMSG_LEN(0) } as usize;
            for at in 0..data / size_of::<RawFd>() {
                // SAFETY: the message holds so many descriptors, which are new and nobody else's.
                files.push_back(unsafe {
                    let number = libc::CMSG_DATA(header).cast::<RawFd>().add(at).read_unaligned();
                    OwnedFd::from_raw_fd(number)
                });
            }
        }
        // SAFETY: as above.
        header = unsafe { libc::CMSG_NXTHDR(&raw const message, header) };
    }
    if message.msg_flags & libc::MSG_CTRUNC != 0 || files.len() > FILES {
        return Err(io::Error::other("more files came at once than a stream takes"));
    }
    Ok(got)
}
