//! How a process knows that it is a worker.

use ringwood_transport::process::take_input;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};

/// What stands in the place of the program's name: whatever the worker starts does not inherit it, and
/// arguments stay what they are.
const MARK: &str = "ringwood-worker";

/// The name under which a worker runs.
pub(super) fn name(rank: usize, workers: usize) -> String {
    format!("{MARK} {rank} of {workers}")
}

/// The stream to the controller, if this process is a worker; once.
pub(super) fn take() -> Option<UnixStream> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    let marked = std::env::args_os().next()?.to_str()?.starts_with(MARK);
    if !marked || TAKEN.swap(true, Ordering::Relaxed) {
        return None;
    }
    take_input().ok().flatten()
}
