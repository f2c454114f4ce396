//! The kinds of sessions that faults are put into.

use super::super::launcher::{LAUNCHERS, Launcher};
use crate::{Error, Result};
use std::fmt;

pub(super) struct Kind {
    /// Its name in the registry.
    pub(super) session: &'static str,
    /// What starts its ranks.
    pub(super) launcher: Option<&'static Launcher>,
}

const fn own(session: &'static str) -> Kind {
    Kind { session, launcher: None }
}

const fn mpi(launcher: &'static Launcher) -> Kind {
    Kind { session: "mpi", launcher: Some(launcher) }
}

pub(super) static KINDS: [Kind; 4] =
    [own("threads"), own("processes"), mpi(&LAUNCHERS[0]), mpi(&LAUNCHERS[1])];

/// `threads`, `mpi of MPICH`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.launcher {
            None => f.write_str(self.session),
            Some(launcher) => write!(f, "{} of {}", self.session, launcher.name),
        }
    }
}

/// The kinds of these names that the machine has.
///
/// # Errors
/// One of them it has not.
pub(super) fn chosen(sessions: &[String]) -> Result<Vec<&'static Kind>> {
    let has = |kind: &Kind| kind.launcher.is_none_or(Launcher::is_there);
    let here: Vec<_> = KINDS.iter().filter(|kind| has(kind)).collect();
    if sessions.iter().any(|session| here.iter().all(|kind| kind.session != session)) {
        let programs = LAUNCHERS.each_ref().map(|launcher| launcher.program).join(", ");
        let message = format!("no launcher of MPI is installed: {programs}");
        return Err(Error::unavailable(message).help(
            "install one, as the Debian packages `openmpi-bin` or `mpich`, or leave out `mpi`",
        ));
    }
    Ok(here.into_iter().filter(|kind| sessions.iter().any(|s| s == kind.session)).collect())
}
