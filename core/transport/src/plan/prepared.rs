//! A plan as an endpoint keeps it.

use super::{Merge, Plan};
use crate::Buffers;
use ringwood_base::Result;
use ringwood_schedule::BufferMode;

/// A plan as an endpoint keeps it: the work that it was lowered to, and what a call brings.
pub(crate) struct Prepared<W> {
    pub(crate) work: W,
    pub(crate) merge: Option<Merge>,
    /// The bytes that a call's input and output must have.
    lengths: [usize; 2],
    mode: BufferMode,
}

impl<W> Prepared<W> {
    pub(crate) fn new(plan: &Plan, work: W) -> Self {
        Self { work, merge: plan.merge().copied(), lengths: plan.lengths(), mode: plan.mode() }
    }

    /// Checks that a call brings the memory that the plan was lowered for: what follows relies on it.
    #[inline]
    pub(crate) fn check(&self, buffers: &Buffers<'_>) -> Result<()> {
        buffers.check(self.mode, self.lengths)
    }

    /// Keeps the plan in a slot: the next one, or that of an earlier plan.
    pub(crate) fn keep(self, slots: &mut Vec<Self>, slot: usize) {
        match slots.get_mut(slot) {
            Some(earlier) => *earlier = self,
            None => slots.push(self),
        }
    }
}
