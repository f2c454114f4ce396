//! The order of the instances of each group, agreed on when all ranks are ready.

use crate::InstanceId;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_transport::list_ranks;
use std::collections::{BTreeSet, HashMap};

#[derive(Default)]
pub(super) struct LeaderTurns {
    open: HashMap<InstanceId, Ready>,
    /// The next turn of each group.
    next: HashMap<u64, u64>,
}

/// The ranks that are ready for an instance and have not been told its turn.
#[derive(Default)]
struct Ready {
    ranks: BTreeSet<usize>,
    outcome: Option<Result<u64>>,
}

impl LeaderTurns {
    /// A rank of a group of `size` is ready.
    pub(super) fn ready(&mut self, instance: InstanceId, rank: usize, size: usize) {
        let ready = self.open.entry(instance).or_default();
        ready.ranks.insert(rank);
        if ready.ranks.len() == size && ready.outcome.is_none() {
            let next = self.next.entry(instance.group).or_default();
            ready.outcome = Some(Ok(*next));
            *next += 1;
        }
    }

    /// What a rank is told, if all are ready; when it is `late`, it is told who is not.
    pub(super) fn answer(
        &mut self,
        instance: InstanceId,
        rank: usize,
        size: usize,
        late: bool,
    ) -> Option<Result<u64>> {
        let ready = self.open.get_mut(&instance)?;
        if ready.outcome.is_none() && late {
            let absent: Vec<_> = (0..size).filter(|rank| !ready.ranks.contains(rank)).collect();
            let message = format!("{} did not come to {instance} in time", list_ranks(&absent));
            ready.outcome = Some(Err(Error::new(ErrorKind::Timeout, message)));
        }
        let outcome = ready.outcome.clone()?;
        if outcome.is_ok() {
            // The last one to be told ends it; its key may be used again.
            ready.ranks.remove(&rank);
            if ready.ranks.is_empty() {
                self.open.remove(&instance);
            }
        }
        Some(outcome)
    }
}
