//! Programs that all ranks run, without a controller.

use super::builder::SessionBuilder;
use super::kind::SessionKindDef;
use ringwood_base::sync::{set_threads, threads};
use ringwood_base::{Error, Result};
use ringwood_collective::resolve::{Rendezvous, Resolver};
use ringwood_collective::{Communicator, Group, Membership};
use std::fmt;
use std::ops::Deref;

/// This process as one rank of a program that all ranks run (single program, multiple data): the [`Communicator`] of
/// all ranks, and what keeps it alive. Dropping it leaves the group, and ends MPI in this process where
/// the ranks are those of MPI.
pub struct Spmd {
    communicator: Communicator,
    /// Dropped after the communicator.
    resolver: Box<dyn Fn() -> Result<Resolver>>,
}

impl Spmd {
    /// A rank of a kind of sessions, with its [`Spmd::resolver`]; what that holds ends after the communicator.
    pub fn new(
        communicator: Communicator,
        resolver: impl Fn() -> Result<Resolver> + 'static,
    ) -> Self {
        Self { communicator, resolver: Box::new(resolver) }
    }

    /// This rank's end of the rendezvous of all ranks, with which it resolves other groups, the parameters of
    /// collectives by key, and numbers the steps of a program. Dropped before this value, or of no more use after it.
    ///
    /// ```
    /// use ringwood_collective::resolve::Member;
    ///
    /// let ranks = ringwood_session::init()?;
    /// let member = Member::new(7, ranks.size(), "cpu", &format!("cpu:{}", ranks.rank()));
    /// let group = ranks.resolver()?.join(&member)?;
    /// assert_eq!(group.rank(), ranks.rank());
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The rendezvous cannot be reached.
    pub fn resolver(&self) -> Result<Resolver> {
        (self.resolver)()
    }
}

impl Deref for Spmd {
    type Target = Communicator;

    fn deref(&self) -> &Communicator {
        &self.communicator
    }
}

impl fmt::Debug for Spmd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.size())
    }
}

/// Joins the group of all ranks of this program; every rank does, once. The same program runs
///
/// | started | as |
/// |---|---|
/// | `mpirun -n 4 ./program`, or by another launcher of MPI | the ranks of MPI, where the crate `ringwood-mpi` is linked |
/// | `./program --session processes --workers 4`, or with the variable `RINGWOOD_SESSION=processes` | four processes of this machine: this one starts them, waits for them and ends with them, so that the call does not return in it |
/// | by [`Processes`](ringwood_collective::Processes) | the ranks of that group |
/// | `./program` | one rank |
///
/// In a process that is a worker of a [`Session`](crate::Session) it does not return: it [serves](crate::serve) that.
///
/// Ranks that are threads share one `main`: [`spmd`](ringwood_collective::spmd) runs the same function on each.
///
/// ```
/// use ringwood_collective::{Communicator, spmd};
///
/// fn program(comm: &Communicator) -> ringwood_base::Result<String> {
///     Ok(format!("{} of {}", comm.rank(), comm.size()))
/// }
///
/// let ranks = ringwood_session::init()?;
/// assert_eq!(program(&ranks)?, "0 of 1"); // unless a launcher says otherwise
/// assert_eq!(spmd(2, program)?, ["0 of 2", "1 of 2"]);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The environment names a part of a rank, or the rank of the process that has started this one; a rank does not
/// come; the kind that the arguments name is not linked, or its ranks are threads of one process; what the kind's
/// launcher reports.
pub fn init() -> Result<Spmd> {
    super::serve();
    let builder = SessionBuilder::of_this_process()?;
    if let Some(member) = Membership::of_this_process()? {
        if builder.named_kind()?.is_some() {
            // Started by `SessionKind::rank` of another process, which waits for this one.
            #[cfg(target_os = "linux")]
            ringwood_transport::process::end_with_parent();
            let _ = set_threads((threads()? / member.ranks()).max(1));
        }
        return Ok(Spmd::new(member.join()?, move || member.resolver()));
    }
    if let Some(kind) = builder.named_kind()? {
        return kind.rank(Some(&builder))?.ok_or_else(|| {
            Error::invalid("the ranks of this kind of session are threads of one process")
                .help("call `spmd(n, body)`, which runs the body on each of them")
        });
    }
    let registry = builder.config.runtime()?.registry().clone();
    for (_, def) in registry.of::<SessionKindDef>() {
        if let Some(ranks) = def.kind.rank(None)? {
            return Ok(ranks);
        }
    }
    let alone = Group::builder(1).registry(registry.clone()).open()?.into_iter().next();
    let alone = alone.ok_or_else(|| Error::protocol("a group without ranks"))?;
    let rendezvous = Rendezvous::start(registry)?;
    Ok(Spmd::new(alone, move || Ok(rendezvous.resolver())))
}
