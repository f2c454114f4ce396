//! Which processes share the memory of a machine.

use super::Engine;
use crate::life::{Life, Process};
use crate::watch::warn;
use ringwood_base::Result;
use ringwood_device::processors::allowed;
use ringwood_schedule::Arrangement;
use ringwood_session::__private::refused;
use ringwood_transport::{Arena, Bootstrap, Transport};
use std::ffi::c_int;
use std::fs::OpenOptions;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// The processes, and which share the memory of a machine, as all of them have found out when MPI started.
#[derive(Default)]
pub(crate) struct Nodes {
    processes: Vec<Process>,
    /// Tells apart the processors that each may run on.
    processors: Vec<u64>,
    /// All those of one machine can share memory.
    shared: bool,
}

impl Nodes {
    /// Finds out; every process calls this. Each opens memory of all others of its machine, as groups will.
    pub(crate) fn meet(engine: &Engine) -> Result<Self> {
        let trial = Arena.bootstrap(1);
        let address = trial.as_ref().map_or("", Bootstrap::address);
        let own = Process::this();
        let told = engine.tell_all(&(own, address.to_owned()))?;
        let mut near = told.iter().filter(|(process, _)| process.home == own.home);
        let reached = trial.as_ref().map_err(Clone::clone);
        let reached = reached.and_then(|_| near.try_for_each(|(_, address)| reach(address)));
        if let Err(error) = &reached {
            let (rank, size) = (engine.rank, engine.size);
            warn(format_args!(
                "rank {rank} of {size} shares no memory with others of its machine, so all ranks talk over \
                 MPI: {error}"
            ));
        }
        let mut processors = DefaultHasher::new();
        allowed().hash(&mut processors);
        let all = engine.tell_all(&(reached.is_ok(), processors.finish()))?;
        let (reached, processors): (Vec<bool>, _) = all.into_iter().unzip();
        let processes = told.into_iter().map(|(process, _)| process).collect();
        Ok(Self { processes, processors, shared: reached.into_iter().all(|reached| reached) })
    }

    /// The number of a process among these on its machine, and how many they are; then the same among those that may run on
    /// the processors that it may run on.
    pub(crate) fn places(&self, process: usize, all: Range<usize>) -> [(usize, usize); 2] {
        let near = |&other: &usize| self.processes[other].home == self.processes[process].home;
        let same =
            |other: &usize| near(other) && self.processors[*other] == self.processors[process];
        let place = |alike: &dyn Fn(&usize) -> bool| {
            let before = (all.start..process).filter(alike).count();
            (before, all.clone().filter(alike).count())
        };
        [place(&near), place(&same)]
    }

    /// The number that the system of its machine gave a process.
    pub(crate) fn number(&self, process: c_int) -> u32 {
        self.processes.get(process as usize).map_or(0, |process| process.id)
    }

    /// Sees the end of a process.
    pub(crate) fn life(&self, process: c_int) -> Life {
        self.processes.get(process as usize).map_or_else(Life::default, |&one| Life::of(one))
    }

    /// The machine of a process; none where memory is not shared.
    fn home(&self, process: c_int) -> Option<u64> {
        self.processes.get(process as usize).filter(|_| self.shared).map(|process| process.home)
    }

    /// Whether processes share a machine.
    pub(crate) fn share(&self, processes: &[c_int]) -> bool {
        let home = |&process: &c_int| self.home(process);
        let first = processes.first().and_then(home);
        first.is_some() && processes.iter().all(|process| home(process) == first)
    }

    /// Whether all processes do.
    pub(crate) fn is_one(&self) -> bool {
        let first = self.home(0);
        first.is_some() && self.processes.iter().all(|process| Some(process.home) == first)
    }

    /// The ranks of each machine as a task, if there are several and the ranks of each follow one another.
    pub(crate) fn arrangement(&self, processes: &[c_int]) -> Arrangement {
        let homes: Option<Vec<u64>> = processes.iter().map(|&process| self.home(process)).collect();
        let homes = homes.unwrap_or_default();
        let tasks: Vec<&[u64]> = homes.chunk_by(u64::eq).collect();
        let apart =
            |(i, task): (usize, &&[u64])| tasks[..i].iter().all(|other| other[0] != task[0]);
        if tasks.len() < 2 || !tasks.iter().enumerate().all(apart) {
            return Arrangement::default();
        }
        let sizes: Vec<usize> = tasks.iter().map(|task| task.len()).collect();
        Arrangement::of_tasks(&sizes).unwrap_or_default()
    }
}

/// # Errors
/// This memory cannot be opened.
fn reach(path: &str) -> Result<()> {
    let opened = OpenOptions::new().read(true).write(true).open(path);
    opened.map(drop).map_err(refused(format!("cannot open `{path}`")))
}

#[cfg(test)]
mod tests;
