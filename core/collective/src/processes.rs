//! Ranks that are processes of this machine: how they are started, and what each of them is.

use super::transport::Meeting;
use super::{Communicator, Group, GroupBuilder};
use ringwood_base::{Error, ErrorKind, Result};
use std::env;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// The processes of a group on this machine, one for each rank: this program, started once more for
/// each. They are killed when this value is dropped.
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
    meeting: Meeting,
}

/// How often a wait looks.
const LOOK: Duration = Duration::from_millis(1);

impl Processes {
    /// Starts the processes of a group, which meet over its transport; `prepare` gets the command and
    /// the rank of each, to add arguments or to redirect its output.
    ///
    /// # Errors
    /// The group names no transport or one that connects threads only, or a process cannot be
    /// started; those that were are killed.
    pub fn start(
        group: GroupBuilder,
        mut prepare: impl FnMut(&mut Command, usize),
    ) -> Result<Self> {
        let (n, transport) = group.named()?;
        let meeting = group.host()?;
        let failed = |rank: usize, cause| {
            let message = format!("cannot start the process of rank {rank} of {n}");
            Error::new(ErrorKind::Unavailable, message).because(cause)
        };
        let program = env::current_exe().map_err(|cause| failed(0, cause))?;
        let mut processes = Self { children: Vec::with_capacity(n), meeting };
        for rank in 0..n {
            let mut command = Command::new(&program);
            let values = [
                rank.to_string(),
                n.to_string(),
                transport.clone(),
                processes.meeting.address().into(),
            ];
            command.envs(VARIABLES.iter().zip(values));
            prepare(&mut command, rank);
            processes.children.push(command.spawn().map_err(|cause| failed(rank, cause))?);
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
    /// Some still run after this time ([`ErrorKind::Timeout`]): the error names them.
    pub fn wait(&mut self, within: Duration) -> Result<Vec<ExitStatus>> {
        let end = Instant::now() + within;
        loop {
            let statuses: Vec<Option<ExitStatus>> =
                self.children.iter_mut().map(|child| child.try_wait().ok().flatten()).collect();
            if statuses.iter().all(Option::is_some) {
                return Ok(statuses.into_iter().flatten().collect());
            }
            if Instant::now() >= end {
                let running = |&rank: &usize| statuses[rank].is_none();
                let ranks: Vec<usize> = (0..statuses.len()).filter(running).collect();
                let who = super::fingerprint::list_ranks(&ranks);
                let message = format!("{who} did not end within {within:?}");
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            thread::sleep(LOOK);
        }
    }
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
    address: String,
}

/// The environment of a rank's process: its rank, the size of the group, the transport and where the
/// group meets.
const VARIABLES: [&str; 4] =
    ["RINGWOOD_RANK", "RINGWOOD_RANKS", "RINGWOOD_TRANSPORT", "RINGWOOD_ADDRESS"];

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
            Error::new(ErrorKind::InvalidArgument, message).help("set all of them, or none")
        };
        let [Some(rank), Some(ranks), Some(transport), Some(address)] = &values else {
            return Err(wrong());
        };
        let number = |text: &str| text.parse().map_err(|_| wrong());
        let (rank, ranks) = (number(rank)?, number(ranks)?);
        if rank >= ranks {
            return Err(wrong());
        }
        let (transport, address) = (transport.clone(), address.clone());
        Ok(Some(Self { rank, ranks, transport, address }))
    }

    /// The rank of this process.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The size of the group.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// Where the group meets.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A group of this size over this transport, to add options to and then to
    /// [join](GroupBuilder::join).
    pub fn builder(&self) -> GroupBuilder {
        Group::builder(self.ranks).transport(&self.transport)
    }

    /// Joins the group with all options at their defaults.
    ///
    /// # Errors
    /// See [`GroupBuilder::join`].
    pub fn join(&self) -> Result<Communicator> {
        self.builder().join(self.rank, &self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(values: [&str; 4]) -> Result<Option<Membership>> {
        Membership::of(|name| {
            let at = VARIABLES.iter().position(|variable| *variable == name).unwrap();
            (!values[at].is_empty()).then(|| values[at].to_owned())
        })
    }

    #[test]
    fn a_place_is_whole_or_absent() {
        assert_eq!(member(["", "", "", ""]).unwrap(), None);
        let found = member(["2", "4", "arena", "/x"]).unwrap().unwrap();
        assert_eq!((found.rank(), found.ranks(), found.address()), (2, 4, "/x"));
        for values in [
            ["2", "", "arena", "/x"],
            ["4", "4", "arena", "/x"],
            ["-1", "4", "arena", "/x"],
            ["", "", "", "/x"],
        ] {
            let error = member(values).unwrap_err();
            assert!(error.message().contains(&format!("RINGWOOD_RANK={}", values[0])), "{error}");
        }
    }
}
