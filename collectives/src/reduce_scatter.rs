//! Reduce-scatter: every rank ends with the merge of its block of all buffers.

mod direct;
mod recursive_halving;
mod ring;

pub use direct::{DIRECT_REDUCE_SCATTER, Direct};
pub use recursive_halving::{RECURSIVE_HALVING_REDUCE_SCATTER, RecursiveHalving};
pub use ring::{RING_REDUCE_SCATTER, Ring};
