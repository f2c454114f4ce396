//! The ranks of a group that an executor runs.

use super::Open;
use crate::collective::executor::InstanceId;
use crate::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// The ranks of a group that an executor runs.
#[derive(Clone)]
pub(super) struct Seats {
    size: usize,
    /// The only rank here, if the others are elsewhere: then instances start in the order of their
    /// submission, which must be the same everywhere.
    alone: Option<usize>,
    pub(super) in_order: bool,
    /// For each rank here, whether it submits more.
    ranks: BTreeMap<usize, bool>,
}

impl Seats {
    pub(super) fn new(size: usize, alone: bool, rank: usize) -> Self {
        let ranks = BTreeMap::new();
        Self { size, alone: alone.then_some(rank), in_order: alone, ranks }
    }

    pub(super) fn take(&mut self, group: u64, rank: usize, size: usize, alone: bool) -> Result<()> {
        let wrong = if self.size != size {
            format!("as one of {size} ranks, but the group has {}", self.size)
        } else if self.ranks.contains_key(&rank) {
            "that it is in already".to_owned()
        } else if alone != self.alone.is_some() || self.alone.is_some_and(|only| only != rank) {
            "some of whose ranks are here and some alone".to_owned()
        } else {
            self.ranks.insert(rank, true);
            return Ok(());
        };
        let message = format!("rank {rank} joins group {group} {wrong}");
        Err(Error::new(ErrorKind::Duplicate, message))
    }

    /// The ranks that must come to an instance before it starts.
    pub(super) fn expected(&self) -> impl Iterator<Item = usize> {
        self.alone.map_or(0..self.size, |rank| rank..rank + 1)
    }

    pub(super) fn leave(&mut self, rank: usize) {
        self.ranks.insert(rank, false);
    }

    pub(super) fn has_left(&self, rank: usize) -> bool {
        self.ranks.get(&rank) == Some(&false)
    }

    /// Frees a seat; whether none is taken any more.
    pub(super) fn free(&mut self, rank: usize) -> bool {
        self.leave(rank);
        !self.ranks.values().any(|more| *more)
    }

    /// The error of an instance that a rank will not come to.
    pub(super) fn absent(&self, instance: InstanceId, open: &Open) -> Option<Error> {
        let gone = |(rank, more): (&usize, &bool)| !more && !open.ranks.contains_key(rank);
        let (rank, _) = self.ranks.iter().find(|entry| gone(*entry))?;
        let message = format!("rank {rank} of {} left the group before {instance}", self.size);
        Some(Error::new(ErrorKind::Aborted, message))
    }
}
