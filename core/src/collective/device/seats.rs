//! What the ranks of a group in one process show each other of a call on devices.

use crate::collective::transport::Failure;
use crate::device::{Buffer, Tensor, overlap};
use crate::{Error, ErrorKind, Result};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the ranks show each other: how far each one is, and its memories.
pub(in crate::collective) struct Seats {
    ranks: Mutex<Vec<Seat>>,
    moved: Condvar,
    failure: Arc<Failure>,
}

#[derive(Clone, Default)]
struct Seat {
    /// The call and the steps of it that are submitted.
    position: (u64, u64),
    memories: Option<Memories>,
    /// What is reduced.
    tensor: Option<Tensor>,
}

/// The memories of a rank that its peers read in a call.
#[derive(Clone)]
pub(in crate::collective) struct Memories {
    pub(super) buffer: Buffer,
    /// Where the elements begin in `buffer`.
    pub(super) offset: usize,
    pub(super) arena: Buffer,
}

/// The progress of a rank whose work of a call is done, not only submitted.
pub(super) const DONE: u64 = u64::MAX;

/// A failure that is raised elsewhere, by an abort for instance, is seen after this time.
const LOOK: Duration = Duration::from_millis(5);

impl Seats {
    pub(in crate::collective) fn new(ranks: usize, failure: Arc<Failure>) -> Self {
        let ranks = Mutex::new(vec![Seat::default(); ranks]);
        Self { ranks, moved: Condvar::new(), failure }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Seat>> {
        self.ranks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the memories of `rank` for `call`, in which it reduces `tensor`; before the ranks agree
    /// on it.
    ///
    /// # Errors
    /// Another rank reduces some of the same elements.
    pub(in crate::collective) fn sit(
        &self,
        rank: usize,
        call: u64,
        memories: Memories,
        tensor: &Tensor,
    ) -> Result<()> {
        let mut ranks = self.lock();
        let shares = |seat: &Seat| {
            let (own, other) = (tensor.region(), seat.tensor.as_ref().map(Tensor::region));
            let other = other.filter(|_| seat.position.0 == call);
            other.is_some_and(|o| own.memory.same(o.memory) && overlap(&own, &o))
        };
        if let Some(other) = ranks.iter().position(shares).filter(|&other| other != rank) {
            let message = format!("rank {rank} and rank {other} reduce the same memory");
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("give each rank a tensor of its own, made with `duplicate`"));
        }
        let (memories, tensor) = (Some(memories), Some(tensor.clone()));
        ranks[rank] = Seat { position: (call, 0), memories, tensor };
        Ok(())
    }

    /// Takes the memories of `rank` back; peers that still use them hold them.
    pub(in crate::collective) fn rise(&self, rank: usize) {
        let seat = &mut self.lock()[rank];
        (seat.memories, seat.tensor) = (None, None);
    }

    /// The memories of a rank; after the ranks have agreed on the call.
    pub(super) fn memories(&self, rank: usize) -> Result<Memories> {
        self.lock()[rank].memories.clone().ok_or_else(|| {
            let message = format!("rank {rank} shows no device memory");
            self.failure.raise(Error::new(ErrorKind::Aborted, message))
        })
    }

    /// Tells everyone that `rank` has submitted `steps` steps of the call.
    pub(super) fn publish(&self, rank: usize, call: u64, steps: u64) {
        self.lock()[rank].position = (call, steps);
        self.moved.notify_all();
    }

    /// Waits until `other` has submitted `steps` steps of the call.
    ///
    /// # Errors
    /// The group fails, or the deadline passes.
    pub(super) fn wait_for(
        &self,
        other: usize,
        call: u64,
        steps: u64,
        deadline: Instant,
    ) -> Result<()> {
        let mut ranks = self.lock();
        loop {
            // Before the position: a rank that has failed may have come to its next call.
            if let Some(error) = self.failure.get() {
                return Err(error);
            }
            if ranks[other].position >= (call, steps) {
                return Ok(());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let n = ranks.len();
                let message = format!("rank {other} of {n} did not finish call #{call} in time");
                return Err(self.failure.raise(Error::new(ErrorKind::Timeout, message)));
            }
            let waited = self.moved.wait_timeout(ranks, left.min(LOOK));
            ranks = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
