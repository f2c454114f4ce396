//! The last operations of every worker.

use std::borrow::Cow;
use std::fmt;

/// One operation of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What it was: a function, a collective, `fetch`, `set`, `free`, `sync`.
    pub name: Cow<'static, str>,
    /// The call, or the number of the collective on this worker; 0 for other operations.
    pub number: u64,
    /// Whether it has ended.
    pub ended: bool,
}

/// The last operations of every worker of a session, oldest first.
#[derive(Clone, Debug)]
pub struct History(pub(super) Vec<Vec<Operation>>);

impl History {
    /// The operations of one worker.
    pub fn of(&self, worker: usize) -> &[Operation] {
        self.0.get(worker).map_or(&[], Vec::as_slice)
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the last operations of each worker")?;
        for (rank, operations) in self.0.iter().enumerate() {
            write!(f, "\n  worker {rank}:")?;
            for operation in operations {
                write!(f, " {}", operation.name)?;
                if operation.number > 0 {
                    write!(f, " #{}", operation.number)?;
                }
                f.write_str(if operation.ended { ";" } else { " …" })?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for History {}
