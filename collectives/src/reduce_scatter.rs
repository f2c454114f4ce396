//! Reduce-scatter: every rank ends with the merge of its block of all buffers.

mod direct;
mod recursive_halving;
mod ring;

pub use direct::Direct;
pub use recursive_halving::RecursiveHalving;
pub use ring::Ring;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::direct::direct_reduce_scatter;
    pub use super::recursive_halving::recursive_halving_reduce_scatter;
    pub use super::ring::ring_reduce_scatter;
}
