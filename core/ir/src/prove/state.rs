//! What is known of each variable, parameter and index of the work-item.

use super::interval::Interval;
use crate::{Expr, ExprKind, Kernel};

/// The slots of `gid`, `lid` and `grp`, contiguous dimension first.
pub(super) const GID: usize = 0;
pub(super) const LID: usize = 3;
pub(super) const GROUP: usize = 6;
const PARAMS: usize = 9;

/// An interval for each slot, and how to undo changes: a branch is left by undoing what it did.
pub(super) struct State {
    slots: Vec<Interval>,
    params: usize,
    /// Slots with the intervals they had before.
    trail: Vec<(usize, Interval)>,
}

/// A place in the history of a state.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl State {
    /// Variables are 0 at first.
    pub(super) fn new(params: impl Iterator<Item = Interval>, kernel: &Kernel) -> Self {
        let mut slots = Vec::with_capacity(PARAMS + kernel.params.len() + kernel.vars.len());
        slots.resize(PARAMS, Interval::ZERO);
        slots.extend(params);
        slots.resize(PARAMS + kernel.params.len() + kernel.vars.len(), Interval::ZERO);
        State { slots, params: kernel.params.len(), trail: Vec::with_capacity(16) }
    }

    /// The slot that an expression stands for.
    pub(super) fn slot(&self, e: &Expr) -> Option<usize> {
        Some(match e.kind {
            ExprKind::Var(v) => self.variable(v),
            ExprKind::Param(p) => PARAMS + p as usize,
            ExprKind::Gid(d) => GID + usize::from(d),
            ExprKind::Lid(d) => LID + usize::from(d),
            ExprKind::Group(d) => GROUP + usize::from(d),
            _ => return None,
        })
    }

    pub(super) fn variable(&self, v: u32) -> usize {
        PARAMS + self.params + v as usize
    }

    pub(super) fn get(&self, slot: usize) -> Interval {
        self.slots[slot]
    }

    /// Sets what holds from the start.
    pub(super) fn start(&mut self, slot: usize, value: Interval) {
        self.slots[slot] = value;
    }

    pub(super) fn set(&mut self, slot: usize, value: Interval) {
        let old = std::mem::replace(&mut self.slots[slot], value);
        if old != value {
            self.trail.push((slot, old));
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    pub(super) fn undo(&mut self, to: Mark) {
        while self.trail.len() > to.0 {
            let Some((slot, old)) = self.trail.pop() else { break };
            self.slots[slot] = old;
        }
    }

    /// Undoes what happened since the mark; returns the slots that it changed, as it left them.
    pub(super) fn take(&mut self, since: Mark) -> Vec<(usize, Interval)> {
        let mut changed: Vec<(usize, Interval)> = Vec::new();
        for (slot, _) in &self.trail[since.0..] {
            if changed.iter().all(|(known, _)| known != slot) {
                changed.push((*slot, self.slots[*slot]));
            }
        }
        self.undo(since);
        changed
    }

    /// Sets slots to what either of two branches left in them.
    pub(super) fn join(&mut self, a: &[(usize, Interval)], b: &[(usize, Interval)]) {
        let find = |changes: &[(usize, Interval)], slot| {
            changes.iter().find(|(s, _)| *s == slot).map(|(_, value)| *value)
        };
        for (slot, value) in a {
            let other = find(b, *slot).unwrap_or(self.slots[*slot]);
            self.set(*slot, value.join(other));
        }
        for (slot, value) in b {
            if find(a, *slot).is_none() {
                self.set(*slot, value.join(self.slots[*slot]));
            }
        }
    }
}
