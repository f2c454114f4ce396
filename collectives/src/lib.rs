//! The collective algorithms of Ringwood, each one registered item in a file of its own.
//!
//! An algorithm is a pure schedule; see
//! [`Collective`](ringwood_schedule::Collective). A new one is a new file with one
//! `register_collective!`, and nothing else changes. The docs of each say what it costs, what it asks
//! for and when it is the right choice: `n` is the number of ranks, `lg` the logarithm to base 2.
//! Those that merge in the orders `linear` and `xor_tree` also keep the operands in the order of the
//! ranks.

#![forbid(unsafe_code)]

pub mod all_gather;
pub mod all_reduce;
pub mod all_to_all;
pub mod barrier;
pub mod broadcast;
pub mod gather;
mod pattern;
pub mod permute;
pub mod reduce;
pub mod reduce_scatter;
pub mod scatter;

pub use all_reduce::RingReducer;
