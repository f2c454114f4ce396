//! Reduce-scatter: every rank ends with the merge of its block of all buffers.

mod direct;
mod recursive_halving;
mod ring;

pub use self::{direct::Direct, recursive_halving::RecursiveHalving, ring::Ring};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{
        direct::direct_reduce_scatter, recursive_halving::recursive_halving_reduce_scatter,
        ring::ring_reduce_scatter,
    };
}
