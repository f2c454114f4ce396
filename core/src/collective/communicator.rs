//! A rank's handle on its group.

use super::group::Shared;
use super::{Rank, ReduceOp};
use crate::{DType, Element, Error, ErrorKind, Result};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// A rank's handle on its group: one for each rank, moved to the thread that is the rank.
///
/// Every rank makes the same calls in the same order. Each call first agrees on what is called; a
/// rank that calls something else makes the call fail on every rank with the same error, before
/// any data moves. Equivalent to `ncclComm_t`, `MPI_Comm`.
pub struct Communicator {
    rank: Rank,
    shared: Arc<Shared>,
    counters: Cell<Counters>,
    /// A communicator is used by one thread at a time.
    unshared: PhantomData<Cell<()>>,
}

/// What a rank's calls added up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Counters {
    /// The calls that completed.
    pub calls: u64,
    /// The time spent in them, waiting included.
    pub seconds: f64,
    /// The bytes that this rank took from others.
    pub bytes_moved: u64,
}

/// One call with its options; see [`Communicator::call`].
#[derive(Clone)]
#[must_use]
pub struct Call<'c> {
    communicator: &'c Communicator,
    algorithm: Option<String>,
    timeout: Option<Duration>,
}

impl Communicator {
    pub(super) fn new(rank: Rank, shared: Arc<Shared>) -> Self {
        Self { rank, shared, counters: Cell::default(), unshared: PhantomData }
    }

    /// The position of this rank in the group, from 0.
    pub fn rank(&self) -> usize {
        self.rank.index()
    }

    /// The number of ranks.
    pub fn size(&self) -> usize {
        self.rank.group_size()
    }

    /// A call with options, all at their defaults.
    pub fn call(&self) -> Call<'_> {
        Call { communicator: self, algorithm: None, timeout: None }
    }

    /// A call that insists on one algorithm.
    pub fn with(&self, algorithm: &str) -> Call<'_> {
        self.call().with(algorithm)
    }

    /// Replaces the elements of every rank by their merge. Equivalent to `ncclAllReduce` in place.
    ///
    /// # Errors
    /// See [`Call::all_reduce_bytes`].
    pub fn all_reduce<T: Element>(&self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.call().all_reduce(data, op)
    }

    /// [`Communicator::all_reduce`] for elements whose type is known at run time.
    ///
    /// # Errors
    /// See [`Call::all_reduce_bytes`].
    pub fn all_reduce_bytes(&self, data: &mut [u8], dtype: DType, op: ReduceOp) -> Result<()> {
        self.call().all_reduce_bytes(data, dtype, op)
    }

    /// Fails the group: calls in progress and later ones return `error` on every rank, unless an
    /// earlier failure sticks already.
    pub fn abort(&self, error: Error) {
        self.shared.fail(error);
    }

    /// Whether the group still works.
    ///
    /// # Errors
    /// The failure of the group.
    pub fn check(&self) -> Result<()> {
        self.shared.failure().map_or(Ok(()), Err)
    }

    /// What fails the group from another thread.
    pub fn abort_handle(&self) -> AbortHandle {
        AbortHandle(Arc::clone(&self.shared))
    }

    /// What the calls so far added up to.
    pub fn counters(&self) -> Counters {
        self.counters.get()
    }
}

/// Fails a group from outside of its ranks; see [`Communicator::abort_handle`].
#[derive(Clone)]
pub struct AbortHandle(Arc<Shared>);

impl AbortHandle {
    /// [`Communicator::abort`].
    pub fn abort(&self, error: Error) {
        self.0.fail(error);
    }
}

impl Call<'_> {
    /// Insists on the algorithm of this name.
    pub fn with(self, algorithm: &str) -> Self {
        Self { algorithm: Some(algorithm.to_owned()), ..self }
    }

    /// How long to wait for the other ranks; the group's timeout by default.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// Replaces the elements of every rank by their merge.
    ///
    /// # Errors
    /// See [`Call::all_reduce_bytes`].
    pub fn all_reduce<T: Element>(self, data: &mut [T], op: ReduceOp) -> Result<()> {
        self.all_reduce_bytes(bytemuck::cast_slice_mut(data), T::DTYPE, op)
    }

    /// [`Call::all_reduce`] for elements whose type is known at run time.
    ///
    /// # Errors
    /// The ranks disagree ([`ErrorKind::Mismatch`]), the algorithm is unknown, not verified or not
    /// for this group size, no kernel merges this element type, a rank does not come
    /// ([`ErrorKind::Timeout`]), leaves, panics or aborts.
    pub fn all_reduce_bytes(self, data: &mut [u8], dtype: DType, op: ReduceOp) -> Result<()> {
        let _ = (data, dtype, op, self.timeout, self.algorithm);
        if let Some(error) = self.communicator.shared.failure() {
            return Err(error);
        }
        if self.communicator.size() > 1 {
            let message = "all_reduce needs an engine for more than one rank";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(())
    }
}
