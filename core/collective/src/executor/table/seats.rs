//! The ranks of a group that an executor runs.

use super::Open;
use crate::InstanceId;
use ringwood_base::{Error, Result};
use std::collections::BTreeMap;

/// The ranks of a group that an executor runs.
#[derive(Clone)]
pub(super) struct Seats {
    size: usize,
    /// Where the other ranks are in other processes.
    pub(super) agreed: Option<Agreed>,
    /// For each rank that came here, what it is up to.
    ranks: BTreeMap<usize, Seat>,
    /// For each rank that submitted here, its submissions that have not ended.
    pending: BTreeMap<usize, usize>,
}

/// What a rank is up to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seat {
    /// It submits calls.
    Taken,
    /// It submits nothing more; its thread runs what it has submitted.
    Left,
    /// Its thread has ended.
    Free,
}

/// The only rank of its group here, whose instances start in the order that all ranks agree on.
#[derive(Clone)]
pub(super) struct Agreed {
    pub(super) rank: usize,
    /// The turn that is next.
    pub(super) next: u64,
    /// The instances whose turns are known, until they start.
    pub(super) turns: BTreeMap<u64, InstanceId>,
}

impl Seats {
    pub(super) fn new(size: usize, alone: Option<usize>) -> Self {
        let agreed = alone.map(|rank| Agreed { rank, next: 0, turns: BTreeMap::new() });
        Self { size, agreed, ranks: BTreeMap::new(), pending: BTreeMap::new() }
    }

    pub(super) fn take(
        &mut self,
        group: u64,
        (rank, size): (usize, usize),
        alone: Option<usize>,
    ) -> Result<()> {
        let wrong = if self.size != size {
            format!("as one of {size} ranks, but the group has {}", self.size)
        } else if self.ranks.contains_key(&rank) {
            "that it is in already".to_owned()
        } else if alone != self.agreed.as_ref().map(|agreed| agreed.rank) {
            "some of whose ranks are here and some alone".to_owned()
        } else {
            self.ranks.insert(rank, Seat::Taken);
            return Ok(());
        };
        Err(Error::duplicate(format!("rank {rank} joins group {group} {wrong}")))
    }

    /// The ranks that must come to an instance before it starts.
    pub(super) fn expected(&self) -> impl Iterator<Item = usize> {
        self.agreed.as_ref().map_or(0..self.size, |agreed| agreed.rank..agreed.rank + 1)
    }

    pub(super) fn leave(&mut self, rank: usize) {
        self.ranks.insert(rank, Seat::Left);
    }

    fn has_left(&self, rank: usize) -> bool {
        self.ranks.get(&rank).is_some_and(|seat| *seat != Seat::Taken)
    }

    /// The number of a rank's submissions that have not ended.
    pub(super) fn pending(&mut self, rank: usize) -> &mut usize {
        self.pending.entry(rank).or_default()
    }

    /// Whether a rank has left and has nothing pending.
    pub(super) fn is_over(&self, rank: usize) -> bool {
        self.has_left(rank) && self.pending.get(&rank).is_none_or(|pending| *pending == 0)
    }

    /// Frees a seat; whether all of them are free.
    pub(super) fn free(&mut self, rank: usize) -> bool {
        self.ranks.insert(rank, Seat::Free);
        self.ranks.values().all(|seat| *seat == Seat::Free)
    }

    /// The error of an instance that a rank will not come to.
    pub(super) fn absent(&self, instance: InstanceId, open: &Open) -> Option<Error> {
        let gone = |rank: &&usize| self.has_left(**rank) && !open.ranks.contains_key(rank);
        let rank = self.ranks.keys().find(gone)?;
        let message = format!("rank {rank} of {} left the group before {instance}", self.size);
        Some(Error::aborted(message))
    }
}
