//! An instance that some rank has submitted and that has not ended.

use super::Submitted;
use crate::instance::After;
use ringwood_base::Error;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// An instance that some rank has submitted and that has not ended.
#[derive(Clone)]
pub(super) struct Open {
    pub(super) ranks: BTreeMap<usize, Stage>,
    /// Its place among all submissions.
    pub(super) number: u64,
    pub(super) launched: bool,
    /// Whether its turn was asked for, in groups whose order is agreed on elsewhere.
    pub(super) asked: bool,
    /// `Table::set_deadline` sets it. None while it waits for its turn behind others, which have theirs.
    pub(super) deadline: Option<Instant>,
    pub(super) execution: Duration,
    pub(super) failure: Option<Error>,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has not begun, and may when these have.
    Submitted(Vec<After>),
    Running,
    Ended,
}

impl Open {
    pub(super) fn new(number: u64, first: &Submitted) -> Self {
        Self {
            ranks: BTreeMap::new(),
            number,
            launched: false,
            asked: false,
            deadline: None,
            execution: first.execution,
            failure: None,
        }
    }

    /// What must come before it, for the ranks that have not begun it.
    pub(super) fn afters(&self) -> impl Iterator<Item = After> {
        let afters = self.ranks.values().filter_map(|stage| match stage {
            Stage::Submitted(after) => Some(after),
            Stage::Running | Stage::Ended => None,
        });
        afters.flatten().copied()
    }

    pub(super) fn over(&self) -> bool {
        self.ranks.values().all(|stage| *stage == Stage::Ended)
    }

    /// Whether every rank of this executor has begun it.
    pub(super) fn begun(&self) -> bool {
        self.launched && !self.ranks.values().any(|stage| matches!(stage, Stage::Submitted(_)))
    }
}
