//! Which instances start: all ranks have come, what comes first has, and it is their turn.

use super::{Effect, Table};
use crate::instance::{After, InstanceId};
use ringwood_base::Result;
use std::time::{Duration, Instant};

/// The answer of who gives the turns is on its way for no longer.
const ANSWER: Duration = Duration::from_secs(2);

impl Table {
    /// Launches or refuses those of `candidates` that may start or never will.
    pub(super) fn examine(&mut self, mut candidates: Vec<InstanceId>) {
        candidates.sort_by_key(|id| std::cmp::Reverse(self.open.get(id).map(|open| open.number)));
        while let Some(instance) = candidates.pop() {
            match self.may_start(instance) {
                None => {}
                Some(Err(error)) => candidates.extend(self.refuse(instance, error)),
                Some(Ok(())) if self.has_turn(instance) => {
                    self.stop_waiting(instance);
                    self.set_deadline(instance, None);
                    let open = self.open.get_mut(&instance).expect("what may start is open");
                    open.launched = true;
                    self.effects.push(Effect::Launch(instance));
                    candidates.extend(self.next_in_order(instance.group));
                }
                Some(Ok(())) => {}
            }
        }
    }

    /// Whether it is the turn of an instance that is ready; asks for the turn if nobody has.
    fn has_turn(&mut self, instance: InstanceId) -> bool {
        let seats = self.groups.get_mut(&instance.group);
        let Some(agreed) = seats.and_then(|seats| seats.agreed.as_mut()) else { return true };
        if agreed.turns.get(&agreed.next) == Some(&instance) {
            agreed.turns.remove(&agreed.next);
            agreed.next += 1;
            return true;
        }
        let open = self.open.get_mut(&instance).expect("what is ready is open");
        if !std::mem::replace(&mut open.asked, true) {
            let (rank, at) = (agreed.rank, open.deadline);
            let left = at.map(|at| at.saturating_duration_since(Instant::now()));
            self.effects.push(Effect::Ask(instance, rank, left.unwrap_or_default()));
            // The leader tells who is missing, and has a while longer for that.
            self.set_deadline(instance, at.and_then(|at| at.checked_add(ANSWER)));
        }
        false
    }

    /// Whether an instance starts now, or never; `None` when it waits, or is past that.
    fn may_start(&self, instance: InstanceId) -> Option<Result<()>> {
        let open = self.open.get(&instance).filter(|open| !open.launched)?;
        let seats = &self.groups[&instance.group];
        let mut waits = false;
        for after in open.afters() {
            match self.reached(after) {
                Some(Ok(())) => {}
                None => waits = true,
                // As it is: a chain of causes would bury the first one.
                Some(Err(cause)) => return Some(Err(cause)),
            }
        }
        let all = seats.expected().all(|rank| open.ranks.contains_key(&rank));
        (all && !waits).then_some(Ok(()))
    }

    /// Whether what must come first has come that far; an error when it never will.
    pub(super) fn reached(&self, after: After) -> Option<Result<()>> {
        let other = after.instance();
        let launched = matches!(after, After::Launched(_));
        if let Some(ended) = self.ended.get(&other) {
            let fine = ended.launched && launched;
            return Some(ended.failure.clone().filter(|_| !fine).map_or(Ok(()), Err));
        }
        (launched && self.open.get(&other)?.begun()).then_some(Ok(()))
    }

    /// The instance whose turn it is in a group that agrees on an order elsewhere, if it has come.
    pub(super) fn next_in_order(&self, group: u64) -> Option<InstanceId> {
        let agreed = self.groups.get(&group)?.agreed.as_ref()?;
        agreed.turns.get(&agreed.next).copied()
    }
}
