//! The program of this process, and what the system says of those that are started.

use std::path::PathBuf;
use std::{env, fs, io};

/// The program of this process, to start it once more. Where its file was deleted or replaced, the system still has
/// what runs.
pub fn own_program() -> PathBuf {
    let running = || PathBuf::from("/proc/self/exe");
    env::current_exe().ok().filter(|path| path.exists()).unwrap_or_else(running)
}

/// What the system says of a process of this machine, as a letter: `T` where a signal has stopped it, `Z` where it has ended.
pub fn state_of(process: u64) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit(')').next()?.trim_start().chars().next()
}

/// Whether the system refuses a file since this process may open no more of them (`EMFILE`).
pub fn is_out_of_files(cause: &io::Error) -> bool {
    cause.raw_os_error() == Some(24)
}
