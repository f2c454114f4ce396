//! What the abstract machine computes with.

mod counts;
mod forms;
mod sets;

pub(super) use counts::{Counts, Held};
pub(super) use forms::{Form, Forms};
pub(super) use sets::Sets;

use super::lanes::At;
use crate::Space;

/// The values of an abstract run; a chunk that is not written has none.
pub(super) trait Domain {
    type Value: Clone;

    /// Whether values are followed; otherwise only the order of steps is, to find the smallest depth of
    /// channels that works.
    const FOLLOWED: bool = true;

    /// What `rank` contributes to `chunk`.
    fn leaf(&mut self, rank: usize, chunk: usize) -> Self::Value;

    /// The merge of two values, in this order.
    fn merge(&mut self, left: &Self::Value, right: &Self::Value) -> Self::Value;

    /// What arrives of a value that one rank takes from another.
    fn travelled(&mut self, value: Self::Value) -> Self::Value {
        value
    }

    /// A step wrote `value` to a chunk: its rank, space and number.
    fn wrote(
        &mut self,
        _at: At,
        _merged: bool,
        _to: (usize, Space, usize),
        _value: &mut Self::Value,
    ) {
    }
}

/// No values: only the order of steps matters.
pub(super) struct Unit;

impl Domain for Unit {
    type Value = ();

    const FOLLOWED: bool = false;

    fn leaf(&mut self, _rank: usize, _chunk: usize) {}

    fn merge(&mut self, (): &(), (): &()) {}
}
