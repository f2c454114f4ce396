//! Who is alive: each rank holds a lock that the system takes back when its process ends.

use super::super::board::Watch;
use super::map::Map;
use ringwood_base::{Error, Result};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// A rank's hold on its place in the arena. However the process ends, the system gives it up: no
/// process number is kept, which another process might have by then.
pub(super) struct Claim {
    file: File,
}

impl Claim {
    /// Takes the place of `rank`; `None` if someone alive has it.
    pub(super) fn take(map: &Map, rank: usize) -> Result<Option<Self>> {
        let file = map.reopen()?;
        match lock(&file, libc::F_OFD_SETLK, rank) {
            Ok(_) => Ok(Some(Self { file })),
            Err(e) if e.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(e) if e.raw_os_error() == Some(libc::EACCES) => Ok(None),
            Err(cause) => {
                let message = format!("cannot claim the place of rank {rank} in an arena");
                Err(Error::backend(message).because(cause))
            }
        }
    }
}

impl Watch for Claim {
    /// Whether someone holds the place of `rank`, which is not this claim's own. Unknown counts as
    /// held: a wait has its bound anyway.
    fn is_alive(&self, rank: usize) -> bool {
        lock(&self.file, libc::F_OFD_GETLK, rank)
            .map_or(true, |found| found.l_type != libc::F_UNLCK as libc::c_short)
    }
}

/// Sets or tests a lock on the byte at `rank`, of this open file and not of this process: threads
/// are told apart as well.
fn lock(file: &File, command: libc::c_int, rank: usize) -> io::Result<libc::flock> {
    let mut lock = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: rank as libc::off_t,
        l_len: 1,
        l_pid: 0,
    };
    // SAFETY: the descriptor is open, and the structure is filled in and lives through the call.
    match unsafe { libc::fcntl(file.as_raw_fd(), command, &raw mut lock) } {
        0 => Ok(lock),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests;
