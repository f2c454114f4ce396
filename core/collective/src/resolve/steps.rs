//! Step sequences: the numbers of the steps of a graph, the same on every worker.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Steps are numbered modulo this.
const STEPS: u64 = 1 << 57;

/// The next step of each graph.
///
/// A sequence starts at a random number, so that the steps of a worker that was restarted do not
/// meet those from before. A worker that loses count is told by [`StepSequences::next`], and
/// [refreshes](StepSequences::refresh) the sequence. Equivalent to the step ids of TensorFlow's
/// `RpcCollectiveExecutorMgr`.
///
/// ```
/// use ringwood_collective::resolve::StepSequences;
///
/// let mut steps = StepSequences::default();
/// assert_eq!(steps.next(7), None);
/// let first = steps.refresh(7);
/// assert_eq!(steps.next(7), Some(first));
/// steps.retire(7, first);
/// assert_eq!(steps.next(7), Some((first + 1) % (1 << 57)));
/// // Somebody retires another step than the one that is due: nobody knows any more where we are.
/// steps.retire(7, first);
/// assert_eq!(steps.next(7), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct StepSequences {
    /// For each graph the next step, or nothing if count was lost.
    next: HashMap<u64, Option<u64>>,
}

impl StepSequences {
    /// The step that is due; the same until it is retired. `None` for a graph that is not known or
    /// whose count was lost.
    pub fn next(&self, graph: u64) -> Option<u64> {
        self.next.get(&graph).copied().flatten()
    }

    /// The sequence of a graph, begun if it is not known; `None` if its count was lost.
    pub fn get(&mut self, graph: u64) -> Option<u64> {
        *self.next.entry(graph).or_insert_with(|| Some(random()))
    }

    /// Begins a sequence anew at a random number, which is returned.
    pub fn refresh(&mut self, graph: u64) -> u64 {
        let step = random();
        self.set(graph, step);
        step
    }

    /// Takes over the sequence that the leader gave.
    pub fn set(&mut self, graph: u64, step: u64) {
        self.next.insert(graph, Some(step % STEPS));
    }

    /// The count of a graph is lost.
    pub(super) fn forget(&mut self, graph: u64) {
        self.next.insert(graph, None);
    }

    /// How many steps `later` is after `earlier`.
    pub(super) fn distance(earlier: u64, later: u64) -> u64 {
        later.wrapping_sub(earlier) % STEPS
    }

    /// The step is over. Nothing happens for a graph that is not known; for another step than the
    /// one that is due, the count is lost. A step that failed is not retired: refresh the sequence.
    pub fn retire(&mut self, graph: u64, step: u64) {
        if let Some(next) = self.next.get_mut(&graph) {
            *next = (*next == Some(step)).then_some((step + 1) % STEPS);
        }
    }
}

/// A number that nobody can foresee: the keys of the standard library's hash maps are random.
fn random() -> u64 {
    RandomState::new().build_hasher().finish() % STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_is_stable_until_it_is_retired_and_wraps() {
        let mut steps = StepSequences::default();
        steps.retire(1, 5);
        assert_eq!(steps.next(1), None);
        let first = steps.get(1).unwrap();
        assert!(first < STEPS);
        assert_eq!((steps.get(1), steps.next(1)), (Some(first), Some(first)));
        steps.set(1, STEPS - 1);
        steps.retire(1, STEPS - 1);
        assert_eq!(steps.next(1), Some(0));
    }

    #[test]
    fn a_lost_count_stays_lost_until_a_refresh() {
        let mut steps = StepSequences::default();
        steps.set(1, 10);
        steps.retire(1, 11);
        assert_eq!((steps.next(1), steps.get(1)), (None, None));
        steps.retire(1, 10);
        assert_eq!(steps.next(1), None);
        let fresh = steps.refresh(1);
        assert_eq!(steps.next(1), Some(fresh));
        assert_ne!(steps.refresh(1), fresh, "two random numbers of 57 bits");
    }
}
