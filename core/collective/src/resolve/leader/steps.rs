//! Step sequences: the numbers of the steps of a graph, the same on every worker.

use ringwood_base::{Error, Result};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Steps are numbered modulo this.
const STEPS: u64 = 1 << 57;

/// The step of each graph that is due. Equivalent to the step ids of TensorFlow's
/// `RpcCollectiveExecutorMgr`.
#[derive(Default)]
pub(super) struct StepSequences(HashMap<u64, Sequence>);

/// A sequence starts at a random number, so that the steps of a worker that was restarted do not
/// meet those from before.
struct Sequence {
    due: u64,
    /// The steps that are over.
    retired: u64,
}

impl StepSequences {
    /// The step that is due; a sequence begins, or begins anew after its count was lost.
    pub(super) fn due(&mut self, graph: u64) -> u64 {
        // A number that nobody can foresee: the keys of the standard library's hash maps are random.
        let random = || RandomState::new().build_hasher().finish() % STEPS;
        self.0.entry(graph).or_insert_with(|| Sequence { due: random(), retired: 0 }).due
    }

    /// Every worker retires each step: the first one advances the count, the others find it done.
    /// The step that follows. After another step the count is lost, and the next question begins a new one.
    pub(super) fn retire(&mut self, graph: u64, step: u64) -> Result<u64> {
        let behind = |sequence: &Sequence| sequence.due.wrapping_sub(step) % STEPS;
        match self.0.get_mut(&graph) {
            Some(sequence) if behind(sequence) <= sequence.retired => {
                if behind(sequence) == 0 {
                    sequence.due = (step + 1) % STEPS;
                    sequence.retired += 1;
                }
                Ok((step + 1) % STEPS)
            }
            _ => {
                self.0.remove(&graph);
                let message = format!("step {step} of graph {graph} is not one of its sequence");
                Err(Error::mismatch(message).help("refresh the sequence"))
            }
        }
    }
}
