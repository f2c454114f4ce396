//! What the ranks of a group come to together: an instance, or its turn.

use crate::InstanceId;
use ringwood_base::{Error, Result};
use ringwood_transport::list_ranks;
use std::collections::{BTreeSet, HashMap};

/// What the ranks of a group come to together. Each brings a `C`; when all have come there is one
/// outcome, which each of them is told. Then the same may begin anew.
pub(super) struct Gatherings<C, T>(HashMap<InstanceId, Gathering<C, T>>);

struct Gathering<C, T> {
    /// What each rank that has come brings.
    brought: Vec<Option<C>>,
    outcome: Option<Result<T>>,
    /// The ranks that have not been told the outcome.
    untold: BTreeSet<usize>,
}

impl<C, T> Default for Gatherings<C, T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<C, T: Clone> Gatherings<C, T> {
    /// One of so many ranks comes. What all bring, `settle` makes the outcome of.
    pub(super) fn arrive(
        &mut self,
        id: InstanceId,
        (rank, ranks): (usize, usize),
        brings: C,
        settle: impl FnOnce(&[&C]) -> Result<T>,
    ) {
        let gathering = self.0.entry(id).or_insert_with(|| Gathering {
            brought: (0..ranks).map(|_| None).collect(),
            outcome: None,
            untold: (0..ranks).collect(),
        });
        if gathering.outcome.is_none() {
            gathering.brought[rank] = Some(brings);
            let all: Option<Vec<&C>> = gathering.brought.iter().map(Option::as_ref).collect();
            gathering.outcome = all.map(|all| settle(&all));
        }
    }

    /// What a rank gets; `None` before all have come. When it is `late`, it is told who has not.
    pub(super) fn answer(&mut self, id: InstanceId, rank: usize, late: bool) -> Result<Option<T>> {
        let Some(gathering) = self.0.get_mut(&id) else { return Ok(None) };
        if gathering.outcome.is_none() && late {
            let absent = |rank: &usize| gathering.brought[*rank].is_none();
            let absent: Vec<_> = (0..gathering.brought.len()).filter(absent).collect();
            let message = format!("{} did not come to {id} in time", list_ranks(&absent));
            gathering.outcome = Some(Err(Error::timeout(message)));
        }
        let outcome = gathering.outcome.clone().transpose()?;
        if outcome.is_some() {
            gathering.untold.remove(&rank);
            if gathering.untold.is_empty() {
                self.0.remove(&id);
            }
        }
        Ok(outcome)
    }

    /// Fails all that have no outcome and lack one of these ranks, with the error for it.
    pub(super) fn fail_without(
        &mut self,
        gone: &BTreeSet<usize>,
        error: impl Fn(usize, InstanceId) -> Error,
    ) {
        for (id, gathering) in &mut self.0 {
            let lacks = |rank: &&usize| gathering.brought[**rank].is_none();
            if let (None, Some(rank)) = (&gathering.outcome, gone.iter().find(lacks)) {
                gathering.outcome = Some(Err(error(*rank, *id)));
            }
        }
    }

    /// Fails all that have no outcome.
    pub(super) fn fail(&mut self, error: &Error) {
        for gathering in self.0.values_mut() {
            gathering.outcome.get_or_insert_with(|| Err(error.clone()));
        }
    }
}
