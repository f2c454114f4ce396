//! What the abstract machine computes with.

mod counts;
mod forms;
mod sets;

pub(super) use counts::{Counts, Held};
pub(super) use forms::Forms;
pub(super) use sets::Sets;

use super::at::At;

/// The values of an abstract run.
pub(super) trait Domain {
    type Value: Clone;

    /// Whether values matter at all, or only the order of steps.
    const FOLLOWED: bool = true;

    /// What an unwritten chunk holds.
    fn none() -> Self::Value;

    /// Whether this is the value of a written chunk.
    fn known(value: &Self::Value) -> bool;

    /// What `rank` contributes to `chunk`.
    fn leaf(&mut self, rank: usize, chunk: usize) -> Self::Value;

    /// The merge of two values, in this order.
    fn merge(&mut self, left: &Self::Value, right: &Self::Value) -> Self::Value;

    /// What arrives of a value that one rank takes from another.
    fn travelled(&mut self, value: Self::Value) -> Self::Value {
        value
    }

    /// A step wrote `value` to `chunk` of rank `to`.
    fn wrote(&mut self, _at: At, _merged: bool, _to: usize, _chunk: usize, _value: &Self::Value) {}
}

/// No values: only the order of steps matters.
pub(super) struct Unit;

impl Domain for Unit {
    type Value = ();

    const FOLLOWED: bool = false;

    fn none() {}

    fn known((): &()) -> bool {
        true
    }

    fn leaf(&mut self, _rank: usize, _chunk: usize) {}

    fn merge(&mut self, (): &(), (): &()) {}
}
