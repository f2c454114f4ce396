//! The kinds of sessions: how workers are started and reached. An open set.
//!
//! A new kind is an implementation of [`SessionKind`] and of the ends of its [`remote`](crate::remote) workers; the protocol,
//! the controller and the worker's machine stay as they are.

use super::SessionBuilder;
use super::channel::Workers;
use super::config::Config;
use super::spmd::Spmd;
use ringwood_base::Result;
use ringwood_base::registry::Kind;
use std::sync::Arc;

/// A way to start the workers of a session and to reach them.
pub trait SessionKind: Send + Sync {
    /// The number of workers of a session that names none, if the kind knows it.
    ///
    /// # Errors
    /// What tells it is wrong.
    fn workers(&self) -> Result<Option<usize>> {
        Ok(None)
    }

    /// Whether its workers can call collectives over the registered transport of this name, which
    /// [`SessionBuilder::transport`] chooses; over none but their own by default.
    fn takes(&self, _transport: &str) -> bool {
        false
    }

    /// Starts the workers of a session, given by its number, and waits until each is ready. In a process
    /// that is a worker of the session, it serves that instead, and ends the process.
    ///
    /// # Errors
    /// The workers do not start.
    fn start(&self, session: u64, config: &Config) -> Result<Arc<dyn Workers>>;

    /// This process as a rank of a program that all ranks run: for [`init`](crate::init). `None` where its launcher has not
    /// started this process. Where the kind was `asked` for by name, it starts the ranks, or says who does; `None` where they are
    /// threads of one process.
    ///
    /// # Errors
    /// The group of all ranks cannot be joined.
    fn rank(&self, _asked: Option<&SessionBuilder>) -> Result<Option<Spmd>> {
        Ok(None)
    }
}

/// The entry of a kind of sessions in the registry.
pub struct SessionKindDef {
    /// The kind.
    pub kind: &'static dyn SessionKind,
}

impl Kind for SessionKindDef {
    const NAME: &'static str = "session_kind";
}

/// Registers a kind of sessions under a name, as in `--session NAME`.
#[macro_export]
macro_rules! register_session_kind {
    ($name:ident, $kind:expr) => {
        $crate::__private::entry! {
            /// The kind of sessions of this name; `ENTRY` registers it by hand.
            $name: $crate::__private::SessionKindDef =
                $crate::__private::SessionKindDef { kind: &$kind }
        }
    };
}
