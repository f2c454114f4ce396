//! Which instances start: all ranks have come, what comes first has, and it is their turn.

use super::{Effect, Open, Others, Stage, Table, Turn};
use crate::executor::{After, InstanceId};
use ringwood_base::Result;
use std::time::Instant;

impl Table {
    /// Launches or refuses those of `candidates` that may start or never will.
    pub(super) fn examine(&mut self, mut candidates: Vec<InstanceId>, effects: &mut Vec<Effect>) {
        candidates.sort_by_key(|id| std::cmp::Reverse(self.open.get(id).map(|open| open.number)));
        while let Some(instance) = candidates.pop() {
            match self.may_start(instance) {
                None => {}
                Some(Err(error)) => candidates.extend(self.refuse(instance, error, effects)),
                Some(Ok(())) if self.has_turn(instance, effects) => {
                    let open = self.open.get_mut(&instance).expect("what may start is open");
                    open.launched = true;
                    open.deadline = None;
                    effects.push(Effect::Launch(instance));
                    candidates.extend(self.next_in_order(instance.group));
                }
                Some(Ok(())) => {}
            }
        }
    }

    /// Whether it is the turn of an instance that is ready; asks for the turn if nobody has.
    fn has_turn(&mut self, instance: InstanceId, effects: &mut Vec<Effect>) -> bool {
        let Some((rank, next)) =
            self.groups.get_mut(&instance.group).and_then(|seats| seats.next_turn())
        else {
            return true;
        };
        let open = self.open.get_mut(&instance).expect("what is ready is open");
        match open.turn {
            Turn::Known(turn) if turn == *next => {
                *next += 1;
                return true;
            }
            Turn::Unasked => {
                open.turn = Turn::Asked;
                let left = open.deadline.map(|at| at.saturating_duration_since(Instant::now()));
                // A little less, so that who is missing is named before this executor gives up.
                let wait = left.unwrap_or_default().mul_f64(0.9);
                effects.push(Effect::Ask(instance, rank, wait));
            }
            Turn::Asked | Turn::Known(_) => {}
        }
        false
    }

    /// Whether an instance starts now, or never; `None` when it waits, or is past that.
    fn may_start(&self, instance: InstanceId) -> Option<Result<()>> {
        let open = self.open.get(&instance).filter(|open| !open.launched)?;
        let seats = &self.groups[&instance.group];
        let in_order = matches!(seats.others, Others::Elsewhere { .. });
        let mut waits = in_order && self.next_in_order(instance.group) != Some(instance);
        for stage in open.ranks.values() {
            let Stage::Submitted(after) = stage else { continue };
            for after in after {
                match self.reached(*after) {
                    Some(Ok(())) => {}
                    None => waits = true,
                    // As it is: a chain of causes would bury the first one.
                    Some(Err(cause)) => return Some(Err(cause)),
                }
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

    /// The instance that a group which keeps an order starts next, if it has come.
    pub(super) fn next_in_order(&self, group: u64) -> Option<InstanceId> {
        let seats = self.groups.get(&group)?;
        let mut unlaunched = self.of_group(group).filter(|(_, open)| !open.launched);
        if let Others::Agree { next, .. } = seats.others {
            let due = |open: &Open| open.turn == Turn::Known(next);
            return unlaunched.find(|(_, open)| due(open)).map(|(id, _)| *id);
        }
        if seats.others == Others::Here {
            return None;
        }
        unlaunched.min_by_key(|(_, open)| open.number).map(|(id, _)| *id)
    }
}
