//! Programs that all ranks run, without a controller.

use super::builder::SessionBuilder;
use super::kind::SessionKindDef;
use ringwood_base::sync::{cores, default_threads, lock};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collective::resolve::{Member, Rendezvous, Resolver};
use ringwood_collective::{Communicator, Group, Membership};
#[cfg(target_os = "linux")]
use ringwood_transport::flight::{Flight, install};
use std::fmt;
use std::ops::Deref;
use std::sync::Mutex;

/// This process as one rank of a program that all ranks run (single program, multiple data): the [`Communicator`] of
/// all ranks, and what keeps it alive. Dropping it leaves the group, and ends MPI in this process where
/// the ranks are those of MPI.
pub struct Spmd {
    communicator: Communicator,
    transport: String,
    /// Dropped after the communicator.
    resolver: Box<dyn Fn() -> Result<Resolver>>,
}

impl Spmd {
    /// A rank of a kind of sessions, whose groups connect over `transport`, with its [`Spmd::resolver`]; what that holds
    /// ends after the communicator.
    pub fn new(
        communicator: Communicator,
        transport: &str,
        resolver: impl Fn() -> Result<Resolver> + 'static,
    ) -> Self {
        Self { communicator, transport: transport.to_owned(), resolver: Box::new(resolver) }
    }

    /// The group of all ranks once more, with calls of its own: for a library, or for calls that an
    /// [`Executor`](ringwood_collective::executor::Executor) runs beside what this thread does. Every rank calls this, with
    /// a key that no other group has. As `MPI_Comm_dup`.
    ///
    /// ```
    /// use ringwood_collective::executor::Executor;
    ///
    /// let ranks = ringwood_session::init()?;
    /// let calls = Executor::new().adopt(1, ranks.duplicate(1)?)?;
    /// let sum = calls.submit(0, [1_u32], |comm, data| Ok(data[0] *= comm.size() as u32));
    /// // This thread computes something else, and then:
    /// sum.wait(std::time::Duration::from_secs(60))?;
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The key is taken, or a rank does not come in time, or see [`Resolver::communicator`].
    pub fn duplicate(&self, key: u64) -> Result<Communicator> {
        if self.size() == 1 {
            return Ok(Group::in_process(1)?.remove(0));
        }
        let resolver = self.resolver()?;
        let member = Member::new(key, self.size(), "process", &format!("process:{}", self.rank()));
        let group = resolver.join(&member.rank(self.rank()))?;
        let builder = Group::builder(self.size()).transport(&self.transport);
        resolver.communicator(&group, builder)
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

/// The others of a program that panics get that as the reason.
impl Drop for Spmd {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let message = format!("rank {} of {} panicked", self.rank(), self.size());
            self.abort(Error::new(ErrorKind::Panic, message));
        }
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
/// The calls of this thread are recorded: `ringwood doctor --session PID`, with the number of a process that is a rank,
/// says who waits for whom.
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
/// This process is a rank, and has joined the others before; the environment names a part of a rank, or the rank of
/// the process that has started this one; a rank does not come; the kind that the arguments name is not linked, or its
/// ranks are threads of one process; `--workers` asks for another number of ranks than a launcher has started, or for
/// several and names no kind that starts them; what the kind's launcher reports.
pub fn init() -> Result<Spmd> {
    /// Whether this process has joined; held meanwhile, as another thread would start the ranks once more.
    static JOINED: Mutex<bool> = Mutex::new(false);

    super::serve();
    let mut joined = lock(&JOINED);
    if *joined {
        return Err(Error::invalid("this process has joined the group of all ranks already")
            .help("call `init` once, and give other threads what they need: `Spmd::duplicate`, or a part of `split`"));
    }
    let builder = SessionBuilder::of_this_process()?;
    let launched = launched(&builder)?;
    *joined = launched.is_some();
    let ranks = launched.map_or_else(|| alone(&builder), Ok)?;
    #[cfg(target_os = "linux")]
    record(&ranks)?;
    Ok(ranks)
}

/// Has this thread write to the flight recorder of rank 0, whose ranks on other machines write to one of their own. Each
/// rank passes the recorder's address on to two others, in messages: the first call is the program's.
#[cfg(target_os = "linux")]
fn record(ranks: &Communicator) -> Result<()> {
    if ranks.size() == 1 {
        return Ok(());
    }
    let (rank, size, mut address) = (ranks.rank(), ranks.size(), [0; 128]);
    // A transport from elsewhere may have no messages: each rank records by itself then.
    let passed = |outcome: Result<()>| match outcome {
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(error),
        _ => Ok(()),
    };
    let own = if rank == 0 {
        let own = Flight::create(size)?;
        address[..own.address().len()].copy_from_slice(own.address().as_bytes());
        Ok(own)
    } else {
        passed(ranks.recv(&mut address, (rank - 1) / 2))?;
        Flight::join(String::from_utf8_lossy(&address).trim_end_matches('\0'))
    };
    let mut others = (2 * rank + 1..2 * rank + 3).filter(|other| *other < size);
    others.try_for_each(|other| passed(ranks.send(&address, other)))?;
    install(own.or_else(|_| Flight::create(size))?, rank);
    Ok(())
}

/// The rank that this process was started as, or starts.
fn launched(builder: &SessionBuilder) -> Result<Option<Spmd>> {
    if let Some(member) = Membership::of_this_process()? {
        if builder.named_kind()?.is_some() {
            // Started by `SessionKind::rank` of another process, which waits for this one.
            #[cfg(target_os = "linux")]
            ringwood_transport::process::end_with_parent();
            default_threads(cores() / member.ranks());
        } else {
            let help = "leave out `--workers`: who starts the processes says how many";
            check_asked(builder, member.ranks(), help)?;
        }
        let (ranks, transport) = (member.join()?, member.transport().to_owned());
        return Ok(Some(Spmd::new(ranks, &transport, move || member.resolver())));
    }
    let (named, runtime) = (builder.named_kind()?, builder.config.runtime()?);
    let kinds: Vec<_> = match named {
        Some(kind) => vec![kind],
        None => runtime.registry().of::<SessionKindDef>().map(|(_, def)| def.kind).collect(),
    };
    for kind in kinds {
        if let Some(ranks) = kind.rank(named.map(|_| builder))? {
            builder.check_transport(kind)?;
            let help = "leave out `--workers`: the launcher says how many";
            return check_asked(builder, ranks.size(), help).map(|()| Some(ranks));
        }
    }
    if named.is_some() {
        return Err(Error::invalid("the ranks of this kind of session are threads of one process")
            .help("call `spmd(n, body)`, which runs the body on each of them"));
    }
    Ok(None)
}

/// # Errors
/// The arguments ask for another number of ranks than there are, without a kind of session that starts them.
fn check_asked(builder: &SessionBuilder, ranks: usize, help: &'static str) -> Result<()> {
    let asked = builder.named_workers().filter(|asked| *asked != ranks);
    asked.map_or(Ok(()), |asked| {
        let message = format!("`--workers` asks for {asked} ranks, where the program has {ranks}");
        Err(Error::invalid(message).help(help))
    })
}

/// A group of this process alone.
fn alone(builder: &SessionBuilder) -> Result<Spmd> {
    check_asked(builder, 1, "`--session processes` starts them, or a launcher of MPI")?;
    let registry = builder.config.runtime()?.registry().clone();
    let transport = builder.config.transport.as_deref().unwrap_or("peer_memory");
    let alone = Group::builder(1).registry(registry.clone()).transport(transport);
    let alone = alone.open()?.into_iter().next();
    let alone = alone.ok_or_else(|| Error::protocol("a group without ranks"))?;
    let rendezvous = Rendezvous::start(registry)?;
    Ok(Spmd::new(alone, transport, move || Ok(rendezvous.resolver())))
}
