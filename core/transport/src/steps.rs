//! What a test does before every step of the ranks of a thread: it delays them, or fails.

use ringwood_base::Result;
use std::cell::Cell;

thread_local! {
    static BEFORE: Cell<fn() -> Result<()>> = const { Cell::new(|| Ok(())) };
}

/// Calls `before` ahead of every step that a rank on this thread takes from now on; an error of it is one of the step.
pub fn before_steps(before: fn() -> Result<()>) {
    BEFORE.set(before);
}

/// A rank comes to a step.
pub(crate) fn step() -> Result<()> {
    BEFORE.get()()
}
