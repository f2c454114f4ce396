//! How a process knows that it is a worker.

use ringwood_base::{Error, Result};
use ringwood_transport::take_input;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};

/// What stands in the place of the program's name: whatever the worker starts does not inherit it, and
/// arguments stay what they are.
const MARK: &str = "ringwood-worker ";

/// The name under which a worker runs.
pub(super) fn name(rank: usize, workers: usize) -> String {
    format!("{MARK}{rank} of {workers}")
}

/// The stream to the controller, if this process is a worker; once.
///
/// # Errors
/// It is a worker, and its standard input is no stream.
pub(super) fn take() -> Result<Option<UnixStream>> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    let name = std::env::args_os().next().and_then(|name| name.into_string().ok());
    let Some(name) = name.filter(|name| name.starts_with(MARK)) else { return Ok(None) };
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Ok(None);
    }
    let lost = || {
        Error::unavailable(format!("`{name}` has no stream to its controller as standard input"))
            .help("let `main` leave it alone before the session, or `ringwood::session::serve`")
    };
    match take_input() {
        Ok(Some(stream)) => Ok(Some(stream)),
        Ok(None) => Err(lost()),
        Err(cause) => Err(lost().because(cause)),
    }
}
