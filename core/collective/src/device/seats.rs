//! What the ranks of a group in one process show each other of a call on devices.

use super::tensors::{Tensors, shares};
use ringwood_base::deadline::left;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Region;
use ringwood_device::device::{Buffer, Tensor};
use ringwood_transport::{Failure, Late, flight};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What the ranks show each other: how far each one is, and its memories.
pub(crate) struct Seats {
    ranks: Mutex<Vec<Seat>>,
    moved: Condvar,
    failure: Arc<Failure>,
}

#[derive(Clone, Default)]
struct Seat {
    /// The call and the steps of it that are submitted.
    position: (u64, u64),
    memories: Option<Memories>,
    /// What the caller brought: input and output.
    tensors: Option<[Tensor; 2]>,
    /// The rank that this one waited for last, and the position that it asked for.
    waits: Option<(usize, (u64, u64))>,
}

/// The memories of a rank that its peers reach in a call, in the order of [`Memory`](ringwood_transport::Memory); in place
/// the output is the input.
pub(crate) type Memories = [Place; 3];

/// Where elements begin.
#[derive(Clone)]
pub(crate) struct Place {
    buffer: Buffer,
    offset: usize,
}

impl Place {
    /// Where the bytes of a tensor or a buffer begin.
    pub(super) fn of(region: Region<'_, Buffer>) -> Self {
        Self { buffer: region.memory.clone(), offset: region.offset }
    }

    pub(super) fn region(&self, offset: usize, bytes: usize) -> Region<'_, Buffer> {
        Region { memory: &self.buffer, offset: self.offset + offset, bytes }
    }
}

/// The progress of a rank whose work of a call is done, not only submitted.
pub(super) const DONE: u64 = u64::MAX;

/// A failure that is raised elsewhere, by an abort for instance, is seen after this time.
const LOOK: Duration = Duration::from_millis(5);

impl Seats {
    pub(crate) fn new(ranks: usize, failure: Arc<Failure>) -> Self {
        let ranks = Mutex::new(vec![Seat::default(); ranks]);
        Self { ranks, moved: Condvar::new(), failure }
    }

    /// Shows the memories of `rank`, which brings `tensors` to `call`; before the ranks agree on it. Refuses tensors
    /// of which one rank writes what another one uses.
    pub(crate) fn sit(
        &self,
        rank: usize,
        call: u64,
        memories: Memories,
        tensors: &Tensors<'_>,
    ) -> Result<()> {
        let mut ranks = lock(&self.ranks);
        let meets = |seat: &Seat| {
            let Some([input, output]) = &seat.tensors else { return false };
            seat.position.0 == call
                && (shares(tensors.output(), input)
                    || shares(tensors.output(), output)
                    || shares(tensors.input(), output))
        };
        if let Some(other) = (0..ranks.len()).find(|&r| r != rank && meets(&ranks[r])) {
            let message = format!("rank {rank} and rank {other} bring the same memory");
            return Err(Error::invalid(message)
                .help("give each rank a tensor of its own, made with `duplicate`"));
        }
        let tensors = Some([tensors.input().clone(), tensors.output().clone()]);
        ranks[rank] = Seat { position: (call, 0), memories: Some(memories), tensors, waits: None };
        Ok(())
    }

    /// Takes the memories of `rank` back; peers that still use them hold them.
    pub(crate) fn rise(&self, rank: usize) {
        let seat = &mut lock(&self.ranks)[rank];
        (seat.memories, seat.tensors) = (None, None);
    }

    /// The memories of a rank; after the ranks have agreed on the call.
    pub(super) fn memories(&self, rank: usize) -> Result<Memories> {
        lock(&self.ranks)[rank].memories.clone().ok_or_else(|| {
            self.failure.raise(Error::aborted(format!("rank {rank} shows no device memory")))
        })
    }

    /// Tells everyone that `rank` has submitted `steps` steps of the call.
    pub(super) fn publish(&self, rank: usize, call: u64, steps: u64) {
        lock(&self.ranks)[rank].position = (call, steps);
        self.moved.notify_all();
    }

    /// `rank` waits until `other` has submitted `steps` steps of the call.
    pub(super) fn wait_for(
        &self,
        (rank, other): (usize, usize),
        call: u64,
        steps: u64,
        deadline: Instant,
    ) -> Result<()> {
        let mut ranks = lock(&self.ranks);
        ranks[rank].waits = Some((other, (call, steps)));
        loop {
            // Before the position: a rank that has failed may have come to its next call.
            if let Some(error) = self.failure.get() {
                return Err(error);
            }
            if ranks[other].position >= (call, steps) {
                flight::waited();
                return Ok(());
            }
            let left = left(deadline);
            if left.is_zero() {
                let (n, what) = (ranks.len(), format!("finish call #{call}"));
                let late = Late { ranks: vec![other], what, waiting: None };
                let waits_for = |rank: usize| {
                    let (other, wanted) = ranks[rank].waits?;
                    (ranks[other].position < wanted).then_some(other)
                };
                return Err(self.failure.raise(late.root(waits_for, n).error(n)));
            }
            flight::waits_for(other);
            let waited = self.moved.wait_timeout(ranks, left.min(LOOK));
            ranks = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests;
