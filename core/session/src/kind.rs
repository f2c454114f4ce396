//! The kinds of sessions: how workers are started and reached.
//!
//! A new kind is a file with an implementation of [`Workers`] and of its ends, and one line in
//! [`KINDS`]; the protocol, the controller and the worker's machine stay as they are.

use super::channel::Workers;
use super::config::Config;
use super::threads;
use ringwood_base::{Error, ErrorKind, Result};
use std::sync::Arc;

/// The kind of a session that names none.
pub(super) const DEFAULT: &str = "threads";

/// One kind of session.
pub(super) struct Kind {
    /// The name, as in `--session threads`.
    pub(super) name: &'static str,
    /// Starts the workers of a session, given by its number.
    pub(super) start: fn(u64, &Config) -> Result<Arc<dyn Workers>>,
}

/// Every kind.
pub(super) const KINDS: &[Kind] = &[
    Kind { name: DEFAULT, start: threads::start },
    #[cfg(target_os = "linux")]
    Kind { name: "processes", start: super::processes::start },
];

/// The workers of a new session.
///
/// # Errors
/// No such kind, or the workers do not start.
pub(super) fn start(session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
    let kind = KINDS.iter().find(|kind| kind.name == config.kind);
    (kind.ok_or_else(|| unknown(&config.kind))?.start)(session, config)
}

pub(super) fn unknown(name: &str) -> Error {
    let known: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
    let message = format!("no session of kind `{name}`; there is: {}", known.join(", "));
    let error = Error::new(ErrorKind::Unsupported, message);
    match name {
        "mpi" => error.help(
            "sessions over MPI are not built yet: use `processes` on one machine, and \
             `ringwood::mpi::init` for the collectives of processes that `mpirun` has started",
        ),
        _ => error,
    }
}
