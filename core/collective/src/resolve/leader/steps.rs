//! The leader's count of steps, which several workers retire.

use crate::resolve::StepSequences;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::HashMap;

#[derive(Default)]
pub(super) struct LeaderSteps {
    sequences: StepSequences,
    /// The steps of each graph that were retired since its sequence began.
    retired: HashMap<u64, u64>,
}

impl LeaderSteps {
    /// The step that is due; a sequence begins, or begins anew after its count was lost.
    pub(super) fn due(&mut self, graph: u64) -> u64 {
        self.sequences.get(graph).unwrap_or_else(|| {
            self.retired.remove(&graph);
            self.sequences.refresh(graph)
        })
    }

    /// Every worker retires each step: the first one advances the count, the others find it done.
    ///
    /// # Errors
    /// It is no step of the sequence: the count is lost, and the next question begins a new one.
    pub(super) fn retire(&mut self, graph: u64, step: u64) -> Result<u64> {
        let retired = self.retired.entry(graph).or_default();
        if let Some(next) = self.sequences.next(graph) {
            let behind = StepSequences::distance(step, next);
            if behind == 0 {
                *retired += 1;
                self.sequences.retire(graph, step);
            }
            if behind <= *retired
                && let Some(next) = self.sequences.next(graph)
            {
                return Ok(next);
            }
        }
        self.sequences.retire(graph, step);
        let message = format!("step {step} of graph {graph} is not one of its sequence");
        Err(Error::new(ErrorKind::Mismatch, message).help("refresh the sequence"))
    }
}
