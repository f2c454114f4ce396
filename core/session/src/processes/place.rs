//! How a process knows that it is a worker.

use ringwood_base::{Error, Result};
use ringwood_transport::take_input;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::OnceLock;
use std::thread::{self, ThreadId};
use std::{env, fs, io};

/// What stands in the place of the program's name: whatever the worker starts does not inherit it, and
/// arguments stay what they are.
const MARK: &str = "ringwood-worker ";

/// The variable with a worker's name and its standard input. A script or another starter takes the name away; by the
/// variable such a process is told from a controller, which would start workers, which would start workers. Whatever a
/// worker starts inherits the variable, and has another standard input.
pub(super) const VARIABLE: &str = "RINGWOOD_WORKER";

/// The thread of a worker's process that serves its controller.
static SERVES: OnceLock<ThreadId> = OnceLock::new();

/// The name under which a worker runs.
pub(super) fn name(rank: usize, workers: usize) -> String {
    format!("{MARK}{rank} of {workers}")
}

/// The value of [`VARIABLE`] for a worker of this name, whose standard input is `stream`.
pub(super) fn value(name: &str, stream: &UnixStream) -> String {
    format!("{name} {}", socket(stream.as_raw_fd()).unwrap_or_default())
}

/// The stream to the controller, if this process is a worker; once.
///
/// # Errors
/// It is a worker, and its standard input is no stream, or its name is another one.
pub(super) fn take() -> Result<Option<UnixStream>> {
    let name = env::args_os().next().and_then(|name| name.into_string().ok());
    let Some(name) = name.filter(|name| name.starts_with(MARK)) else {
        return check_name().map(|()| None);
    };
    if SERVES.set(thread::current().id()).is_err() {
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

/// Refuses a session or ranks of processes on another thread of a worker than the one that serves, which runs the
/// functions and so may start sessions of its own. A `main` whose threads start sessions does so in its workers, too:
/// these would start workers, which would start workers.
pub(super) fn check_thread() -> Result<()> {
    if SERVES.get().is_none_or(|&thread| thread == thread::current().id()) {
        return Ok(());
    }
    let message = "this process is a worker, and another thread than the one that serves starts a session of processes";
    Err(Error::unavailable(message).help(
        "where threads of a program start sessions, let `main` call `ringwood::session::serve` before them; \
         a function of a worker starts one on its own thread",
    ))
}

/// Refuses a process without the name of a worker whose standard input is that of one.
fn check_name() -> Result<()> {
    let told = env::var(VARIABLE).unwrap_or_default();
    if socket(io::stdin().as_raw_fd()).is_none_or(|socket| !told.ends_with(&socket)) {
        return Ok(());
    }
    let message = "this process was started as a worker, and has lost the name that says so";
    Err(Error::unavailable(message).help(format!(
        "let a script, or what else starts it, keep the name, as bash does with \
         `exec -a \"${VARIABLE}\" program`; give what a worker's `main` starts before the session \
         another standard input"
    )))
}

/// What the system calls the socket of a descriptor of this process: `socket:[4243]`.
fn socket(descriptor: RawFd) -> Option<String> {
    let link = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    link.into_os_string().into_string().ok().filter(|name| name.starts_with("socket:"))
}
