//! What processes of one machine need of the system beyond the standard library: files that travel
//! over a stream, memory that several map, waits for several streams.

pub(crate) mod memory;
mod parcel;

pub use parcel::Parcel;

use rustix::cmsg_space;
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::collections::VecDeque;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::slice::from_ref;
use std::time::Duration;

/// Asks the system to kill this process when the thread that started it ends: also if this one is
/// stopped then, and sees no stream close.
pub fn end_with_parent() {
    // A system that cannot leaves the process to see its stream close.
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
}

/// Nanoseconds on the clock that all processes of the machine share, as of its last tick.
pub fn coarse_time() -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::MonotonicCoarse);
    tv_sec as u64 * 1_000_000_000 + tv_nsec as u64
}

/// Ends this process at once, from any thread, without the functions that it has registered for its end: they may
/// wait for what another thread does.
pub fn leave(code: i32) -> ! {
    // SAFETY: ends the process; nothing is accessed afterwards.
    unsafe { libc::_exit(code) }
}

/// Waits until one of these files can be read, has ended or, where the flag says so, can be written;
/// which of them. None if the time is over, or a signal came.
///
/// # Errors
/// See `poll(2)`.
pub fn poll(files: &[(BorrowedFd<'_>, bool)], within: Duration) -> io::Result<Vec<bool>> {
    let wanted = |write| if write { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
    let files = files.iter().map(|&(file, write)| PollFd::from_borrowed_fd(file, wanted(write)));
    let mut all: Vec<_> = files.collect();
    // A time that is too long for the system has no end.
    match rustix::event::poll(&mut all, Timespec::try_from(within).ok().as_ref()) {
        Err(cause) if cause != Errno::INTR => Err(cause.into()),
        _ => Ok(all.iter().map(|file| !file.revents().is_empty()).collect()),
    }
}

/// The most files that one receive takes.
const FILES: usize = 16;

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
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(1))];
    let mut along = SendAncillaryBuffer::new(&mut space);
    if let Some(file) = &file {
        along.push(SendAncillaryMessage::ScmRights(from_ref(file)));
    }
    let mut flags = SendFlags::NOSIGNAL;
    flags.set(SendFlags::DONTWAIT, !waits);
    Ok(sendmsg(stream, &[IoSlice::new(bytes)], &mut along, flags)?)
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
    let mut space = [MaybeUninit::uninit(); cmsg_space!(ScmRights(FILES))];
    let mut along = RecvAncillaryBuffer::new(&mut space);
    let mut flags = RecvFlags::CMSG_CLOEXEC;
    flags.set(RecvFlags::DONTWAIT, !waits);
    let got = recvmsg(stream, &mut [IoSliceMut::new(bytes)], &mut along, flags)?;
    for message in along.drain() {
        if let RecvAncillaryMessage::ScmRights(new) = message {
            files.extend(new);
        }
    }
    if got.flags.contains(ReturnFlags::CTRUNC) || files.len() > FILES {
        return Err(io::Error::other(
            "more files came at once than a stream takes, or than this process may open",
        ));
    }
    Ok(got.bytes)
}

#[cfg(test)]
mod tests;
