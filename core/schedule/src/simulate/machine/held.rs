//! The steps of a lane that are held.

use super::Op;

/// The most kinds of steps, so that a step is a byte.
const KINDS: usize = 32;

/// Steps of a lane, of which few differ: all but the bytes of the last chunk repeat.
#[derive(Default)]
pub(super) struct Held {
    kinds: Vec<Op>,
    /// The kind of each step; empty if each step is a kind of its own.
    steps: Vec<u8>,
}

impl Held {
    pub(super) fn get(&self, step: usize) -> Option<Op> {
        match &self.steps[..] {
            [] => self.kinds.get(step).copied(),
            steps => Some(self.kinds[usize::from(*steps.get(step)?)]),
        }
    }

    /// Holds these steps instead: those before there are too many kinds, or the first `few`, if that
    /// is more.
    pub(super) fn fill(&mut self, ops: &[Op], few: usize) {
        self.kinds.clear();
        self.steps.clear();
        self.steps.reserve(ops.len());
        for op in ops {
            let kind = self.kinds.iter().position(|known| known == op);
            if kind.is_none() && self.kinds.len() == KINDS {
                break;
            }
            self.steps.push(kind.unwrap_or(self.kinds.len()) as u8);
            if kind.is_none() {
                self.kinds.push(*op);
            }
        }
        if self.steps.len() < few.min(ops.len()) {
            (self.kinds, self.steps) = (ops[..few.min(ops.len())].to_vec(), Vec::new());
        }
    }
}

#[cfg(test)]
mod tests;
