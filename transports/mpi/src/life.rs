//! Whether a process of this machine still runs.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde::{Deserialize, Serialize};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{slice, thread};

/// A process, for those that run where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Process {
    pub(crate) id: u32,
    /// Tells machines, by their names too, and their name spaces of processes apart.
    pub(crate) home: u64,
}

impl Process {
    /// This one.
    pub(crate) fn this() -> Self {
        let machine = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let mut hash = DefaultHasher::new();
        (machine, name, space).hash(&mut hash);
        Self { id: std::process::id(), home: hash.finish() }
    }
}

/// The system has ended a process within this time after it has closed what that had open.
const ENDING: Duration = Duration::from_millis(50);

/// Sees the end of a process of this machine. Ends of others are for the launcher to see.
#[derive(Default)]
pub(crate) struct Life {
    /// A file that can be read from then on.
    end: Option<OwnedFd>,
    /// It had ended before.
    ended: bool,
    seen: AtomicBool,
}

impl Life {
    /// That of another process.
    pub(crate) fn of(process: Process) -> Self {
        let own = Process::this();
        if process.home != own.home || process.id == own.id {
            return Self::default();
        }
        let number = i32::try_from(process.id).ok().and_then(Pid::from_raw);
        let end = number.map(|number| pidfd_open(number, PidfdFlags::empty()));
        let ended = matches!(end, Some(Err(Errno::SRCH)));
        Self { end: end.and_then(Result::ok), ended, seen: AtomicBool::new(false) }
    }

    /// Whether it has ended.
    pub(crate) fn is_over(&self) -> bool {
        let Some(end) = &self.end else { return self.ended };
        let mut entry = [PollFd::new(end, PollFlags::IN)];
        poll(&mut entry, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Whether it has ended, or does so within a moment: the system first closes all that a process has open.
    pub(crate) fn ends(&self) -> bool {
        Self::one_ends(slice::from_ref(self))
    }

    /// The same of any of these.
    pub(crate) fn one_ends(all: &[Self]) -> bool {
        let end = Instant::now() + ENDING;
        while !all.iter().any(Self::is_over) && Instant::now() < end {
            thread::sleep(Duration::from_micros(200));
        }
        all.iter().any(Self::is_over)
    }

    /// Whether its end would be seen.
    pub(crate) fn is_seen(&self) -> bool {
        self.end.is_some() || self.ended
    }

    /// Whether it has ended, and this was seen at an earlier look.
    pub(crate) fn is_over_again(&self) -> bool {
        self.is_over() && self.seen.swap(true, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
