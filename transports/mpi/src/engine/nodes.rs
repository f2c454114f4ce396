//! Which processes share the memory of a machine.

use super::Engine;
use crate::life::Process;
use ringwood_base::Result;
use ringwood_schedule::Arrangement;
use ringwood_session::__private::refused;
use ringwood_transport::{Arena, Bootstrap, Transport};
use std::ffi::c_int;
use std::fs::OpenOptions;

/// Which processes share the memory of a machine, as all of them have found out when MPI started.
#[derive(Default)]
pub(crate) struct Nodes {
    /// The machine of each process; none if there are some of one machine that cannot share memory.
    homes: Vec<u64>,
}

impl Nodes {
    /// Finds out; every process calls this. Each opens memory of all others of its machine, as groups will.
    pub(crate) fn meet(engine: &Engine) -> Result<Self> {
        let trial = Arena.bootstrap(1);
        let address = trial.as_ref().map_or("", Bootstrap::address);
        let told = engine.tell_all(&words(Process::this().home, address))?;
        let own = number(&told[engine.rank]);
        let mut near = told.iter().filter(|words| number(words) == own);
        let reached = trial.as_ref().map_err(Clone::clone);
        let reached = reached.and_then(|_| near.try_for_each(reach));
        if let Err(error) = &reached {
            let (rank, size) = (engine.rank, engine.size);
            eprintln!(
                "ringwood: rank {rank} of {size} shares no memory with others of its machine, so all \
                 ranks talk over MPI: {error}"
            );
        }
        let all = engine.tell_all(&words(reached.is_ok().into(), ""))?;
        let all = all.iter().all(|words| number(words) == 1);
        Ok(Self { homes: told.iter().filter(|_| all).map(number).collect() })
    }

    /// Whether processes share a machine.
    pub(crate) fn share(&self, processes: &[c_int]) -> bool {
        let home = |&process: &c_int| self.homes.get(process as usize);
        let first = processes.first().and_then(home);
        first.is_some() && processes.iter().all(|process| home(process) == first)
    }

    /// Whether all processes do.
    pub(crate) fn is_one(&self) -> bool {
        self.homes.first().is_some_and(|first| self.homes.iter().all(|home| home == first))
    }

    /// The ranks of each machine as a task, if there are several and the ranks of each follow one another.
    pub(crate) fn arrangement(&self, processes: &[c_int]) -> Arrangement {
        let homes: Option<Vec<u64>> =
            processes.iter().map(|&process| self.homes.get(process as usize).copied()).collect();
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

/// What a process tells all others: a number, and text.
pub(crate) type Words = [u8; 64];

fn words(number: u64, text: &str) -> Words {
    let mut words = [0; 64];
    words[..8].copy_from_slice(&number.to_le_bytes());
    words[8..].iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
    words
}

fn number(words: &Words) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|i| words[i]))
}

/// # Errors
/// The memory that the words name cannot be opened.
fn reach(words: &Words) -> Result<()> {
    let text = String::from_utf8_lossy(&words[8..]);
    let path = text.trim_end_matches('\0');
    let opened = OpenOptions::new().read(true).write(true).open(path);
    opened.map(drop).map_err(refused(format!("cannot open `{path}`")))
}

#[cfg(test)]
mod tests;
