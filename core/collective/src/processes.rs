//! Ranks that are processes of this machine: how they are started, and what each of them is.

use super::resolve::{ALL_PROCESSES, Member, Rendezvous, Resolver};
use super::{Communicator, Group, GroupBuilder};
use ringwood_base::deadline::deadline;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_transport::{is_out_of_files, own_program, take_input};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, io, thread};

/// The processes of a group on this machine, one for each rank: this program, started once more for
/// each. They meet at a [`Rendezvous`] of this process, over a stream that is their standard input, and
/// are killed when this value is dropped.
///
/// ```no_run
/// use ringwood_collective::{Group, Membership, Processes};
/// use ringwood_schedule::ReduceOp;
/// use std::time::Duration;
///
/// if let Some(member) = Membership::of_this_process()? {
///     let comm = member.join()?;
///     let mut data = comm.alloc::<f32>(1 << 20)?;
///     comm.all_reduce(&mut data, ReduceOp::Sum)?;
/// } else {
///     let group = Group::builder(4).transport("arena");
///     let mut processes = Processes::start(group, |_command, _rank| {})?;
///     let statuses = processes.wait(Duration::from_secs(60))?;
///     assert!(statuses.iter().all(|status| status.success()));
/// }
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct Processes {
    children: Vec<Child>,
    rendezvous: Rendezvous,
}

/// What to do where this process may open no more files.
const FILES: &str = "each rank takes an open file: see `ulimit -n`";
/// How often a wait looks.
const LOOK: Duration = Duration::from_millis(1);

impl Processes {
    /// Starts the processes of a group, which connect over its transport; `prepare` gets the command
    /// and the rank of each, to add arguments or to redirect its output.
    ///
    /// # Errors
    /// The group names no transport or one that connects threads only, or a process cannot be
    /// started; those that were are killed.
    pub fn start(
        group: GroupBuilder,
        mut prepare: impl FnMut(&mut Command, usize),
    ) -> Result<Self> {
        let (n, transport) = group.named()?;
        let rendezvous = Rendezvous::start(group.items()?)?;
        rendezvous.bootstrap(ALL_PROCESSES, &transport, group.bootstrap()?);
        let program = own_program();
        let children = Vec::with_capacity(n);
        let mut processes = Self { children, rendezvous };
        for rank in 0..n {
            let (here, there) = UnixStream::pair().map_err(|cause| not_started(rank, n, cause))?;
            processes.rendezvous.serve(here)?;
            let mut command = Command::new(&program);
            let values = [rank.to_string(), n.to_string(), transport.clone()];
            command.envs(VARIABLES.iter().zip(values));
            prepare(&mut command, rank);
            command.stdin(Stdio::from(OwnedFd::from(there)));
            processes.children.push(command.spawn().map_err(|cause| not_started(rank, n, cause))?);
        }
        Ok(processes)
    }

    /// The process of a rank.
    pub fn child(&mut self, rank: usize) -> &mut Child {
        &mut self.children[rank]
    }

    /// Waits until all have ended; how each of them did.
    ///
    /// # Errors
    /// Some still run after this time ([`Timeout`](ringwood_base::ErrorKind::Timeout)): the error names them. All have
    /// ended, and the system does not say how, since this process or one that has started it ignores `SIGCHLD`.
    pub fn wait(&mut self, within: Duration) -> Result<Vec<ExitStatus>> {
        let end = deadline(within);
        loop {
            let looks: Vec<_> = self.children.iter_mut().map(Child::try_wait).collect();
            let running = ranks_of(&looks, |look| matches!(look, Ok(None)));
            if running.is_empty() {
                return statuses(looks);
            }
            if Instant::now() >= end {
                let who = ringwood_transport::list_ranks(&running);
                return Err(Error::timeout(format!("{who} did not end within {within:?}")));
            }
            thread::sleep(LOOK);
        }
    }
}

fn not_started(rank: usize, ranks: usize, cause: io::Error) -> Error {
    let error = Error::unavailable(format!("cannot start the process of rank {rank} of {ranks}"));
    let full = is_out_of_files(&cause);
    let error = if full { error.help(FILES) } else { error };
    error.because(cause)
}

/// What the system says of a process: how it has ended, or that it runs.
type Look = io::Result<Option<ExitStatus>>;

/// The ranks whose process is in such a state.
fn ranks_of(looks: &[Look], is: impl Fn(&Look) -> bool) -> Vec<usize> {
    (0..looks.len()).filter(|&rank| is(&looks[rank])).collect()
}

/// How the processes have ended, none of which runs.
fn statuses(looks: Vec<Look>) -> Result<Vec<ExitStatus>> {
    let unknown = ranks_of(&looks, Result::is_err);
    let known = looks.into_iter().map(|look| look.map(Option::unwrap_or_default));
    known.collect::<io::Result<_>>().map_err(|cause| {
        let who = ringwood_transport::list_ranks(&unknown);
        Error::unavailable(format!("{who} ended, and the system does not say how"))
            .help("`SIGCHLD` is ignored here: start the program where it is not")
            .because(cause)
    })
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in &mut self.children {
            // One that has ended already cannot be killed.
            let _ = child.kill();
        }
        for child in &mut self.children {
            let _ = child.wait();
        }
    }
}

/// What this process is in a group that [`Processes`] started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    rank: usize,
    ranks: usize,
    transport: String,
}

/// The environment of a rank's process: its rank, the size of the group and the transport.
const VARIABLES: [&str; 3] = ["RINGWOOD_RANK", "RINGWOOD_RANKS", "RINGWOOD_TRANSPORT"];

impl Membership {
    /// The place that the environment gives to this process; `None` if it gives none.
    ///
    /// # Errors
    /// It gives a part of one, or no rank of a group.
    pub fn of_this_process() -> Result<Option<Self>> {
        Self::of(|name| env::var(name).ok())
    }

    fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>> {
        let values = VARIABLES.map(variable);
        if values.iter().all(Option::is_none) {
            return Ok(None);
        }
        let wrong = || {
            let shown = VARIABLES.iter().zip(&values);
            let shown = shown.map(|(name, v)| format!("{name}={}", v.as_deref().unwrap_or("")));
            let message = format!(
                "the environment names no rank of a group: {}",
                shown.collect::<Vec<_>>().join(" ")
            );
            Error::invalid(message).help("set all of them, or none")
        };
        let [Some(rank), Some(ranks), Some(transport)] = &values else {
            return Err(wrong());
        };
        let number = |text: &str| text.parse().map_err(|_| wrong());
        let (rank, ranks) = (number(rank)?, number(ranks)?);
        if rank >= ranks {
            return Err(wrong());
        }
        Ok(Some(Self { rank, ranks, transport: transport.clone() }))
    }

    /// The rank of this process.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The size of the group.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// The name of the group's transport.
    pub fn transport(&self) -> &str {
        &self.transport
    }

    /// A group of this size over this transport, to add options to and then to
    /// [join](Membership::join_as).
    pub fn builder(&self) -> GroupBuilder {
        Group::builder(self.ranks).transport(&self.transport)
    }

    /// This process's end of the rendezvous, with which it may also resolve other groups, instances
    /// and steps; the same each time. From the first on, the standard input of this process is empty: what it
    /// starts gets no stream to the rendezvous.
    ///
    /// # Errors
    /// The standard input of this process is not the stream that [`Processes`] gave it: a rank has started it.
    pub fn resolver(&self) -> Result<Resolver> {
        static RESOLVER: Mutex<Option<Resolver>> = Mutex::new(None);
        let mut known = lock(&RESOLVER);
        if let Some(resolver) = &*known {
            return Ok(resolver.clone());
        }
        let not_the_rank = || {
            let Self { rank, ranks, .. } = self;
            let message = format!(
                "the environment says rank {rank} of {ranks}, and no stream to them is the standard input: \
                 this process is not that rank"
            );
            let help = format!(
                "where a rank starts a program, remove {} from its environment",
                VARIABLES.join(", ")
            );
            Error::unavailable(message).help(help)
        };
        let stream = take_input().map_err(|cause| not_the_rank().because(cause))?;
        let resolver = Resolver::connect(stream.ok_or_else(not_the_rank)?)?;
        Ok(known.insert(resolver).clone())
    }

    /// Joins the group with all options at their defaults.
    ///
    /// # Errors
    /// See [`Membership::join_as`].
    pub fn join(&self) -> Result<Communicator> {
        self.join_as(self.builder())
    }

    /// Joins the group with the options of `builder`, which are those of every rank: the processes
    /// meet, agree who is which rank, and connect. An
    /// [`Executor`](super::executor::Executor) that adopts the communicator starts submitted calls in
    /// one order on all ranks.
    ///
    /// # Errors
    /// A process does not come within the bound for arrivals or ends before it does, or see
    /// [`GroupBuilder::join`].
    pub fn join_as(&self, builder: GroupBuilder) -> Result<Communicator> {
        let resolver = self.resolver()?.timeout(builder.arrival());
        let member =
            Member::new(ALL_PROCESSES, self.ranks, "process", &format!("process:{}", self.rank));
        let group = resolver.join(&member.rank(self.rank))?;
        resolver.communicator(&group, builder)
    }
}

#[cfg(test)]
mod tests;
