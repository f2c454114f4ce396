//! Groups: the ranks that call collectives together.

use super::{Communicator, Rank};
use crate::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, PoisonError};

/// A group of ranks inside this process.
pub struct Group;

impl Group {
    /// One communicator for each of `n` ranks, to be moved to their threads.
    ///
    /// # Errors
    /// `n` is 0.
    pub fn in_process(n: usize) -> Result<Vec<Communicator>> {
        if n == 0 {
            return Err(Error::new(ErrorKind::InvalidArgument, "a group needs at least one rank"));
        }
        let shared = Arc::new(Shared::default());
        Ok((0..n).map(|r| Communicator::new(Rank::new(r, n), Arc::clone(&shared))).collect())
    }
}

/// Runs `body` once for each of `n` ranks, each on a thread of its own, and returns the results in
/// the order of the ranks.
///
/// ```
/// let ranks = ringwood_core::collective::spmd(3, |comm| Ok(comm.rank()))?;
/// assert_eq!(ranks, [0, 1, 2]);
/// # Ok::<(), ringwood_core::Error>(())
/// ```
///
/// # Errors
/// `n` is 0, or a rank fails or panics: the first failure, which the other ranks get too.
pub fn spmd<R: Send>(n: usize, body: impl Fn(&Communicator) -> Result<R> + Sync) -> Result<Vec<R>> {
    let communicators = Group::in_process(n)?;
    let results: Vec<Result<R>> = std::thread::scope(|scope| {
        let spawn = |comm: Communicator| scope.spawn(|| run_rank(comm, &body));
        let threads: Vec<_> = communicators.into_iter().map(spawn).collect();
        threads
            .into_iter()
            .map(|t| t.join().unwrap_or_else(|p| Err(Error::from_panic("a rank", &*p))))
            .collect()
    });
    results.into_iter().collect()
}

fn run_rank<R>(comm: Communicator, body: impl Fn(&Communicator) -> Result<R>) -> Result<R> {
    let run = std::panic::AssertUnwindSafe(|| body(&comm));
    let result = std::panic::catch_unwind(run).unwrap_or_else(|payload| {
        let rank = format!("rank {} of {}", comm.rank(), comm.size());
        Err(Error::from_panic(rank, &*payload))
    });
    if let Err(error) = &result {
        comm.abort(error.clone());
    }
    result
}

/// What the ranks of a group share.
#[derive(Default)]
pub(super) struct Shared {
    failure: Mutex<Option<Error>>,
}

impl Shared {
    /// Records a failure; the first one sticks.
    pub(super) fn fail(&self, error: Error) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// The failure that sticks.
    pub(super) fn failure(&self) -> Option<Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
