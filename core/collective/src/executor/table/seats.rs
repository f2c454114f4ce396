//! The ranks of a group that an executor runs.

use super::Open;
use crate::executor::InstanceId;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

/// The ranks of a group that an executor runs.
#[derive(Clone)]
pub(super) struct Seats {
    size: usize,
    pub(super) others: Others,
    /// For each rank here, whether it submits more.
    ranks: BTreeMap<usize, bool>,
}

/// Where the other ranks of a group are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::executor) enum Others {
    /// In the same executor.
    Here,
    /// Elsewhere: instances start in the order of their submission, the same everywhere.
    Elsewhere { rank: usize },
    /// Elsewhere: instances start in the order that the ranks agree on; the turn that is next.
    Agree { rank: usize, next: u64 },
}

impl Others {
    /// The only rank here, if it is alone.
    fn alone(self) -> Option<usize> {
        match self {
            Others::Here => None,
            Others::Elsewhere { rank } | Others::Agree { rank, .. } => Some(rank),
        }
    }
}

impl Seats {
    pub(super) fn new(size: usize, others: Others) -> Self {
        Self { size, others, ranks: BTreeMap::new() }
    }

    pub(super) fn take(
        &mut self,
        group: u64,
        rank: usize,
        size: usize,
        others: Others,
    ) -> Result<()> {
        let wrong = if self.size != size {
            format!("as one of {size} ranks, but the group has {}", self.size)
        } else if self.ranks.contains_key(&rank) {
            "that it is in already".to_owned()
        } else if others.alone() != self.others.alone() {
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
        self.others.alone().map_or(0..self.size, |rank| rank..rank + 1)
    }

    /// The rank that asks for turns, and the one that is next, where an order is agreed on.
    pub(super) fn next_turn(&mut self) -> Option<(usize, &mut u64)> {
        match &mut self.others {
            Others::Agree { rank, next } => Some((*rank, next)),
            Others::Here | Others::Elsewhere { .. } => None,
        }
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
