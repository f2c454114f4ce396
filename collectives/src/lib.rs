//! The collective algorithms of Ringwood, each one registered item in a file of its own.
//!
//! An algorithm is a pure schedule; see
//! [`Collective`](ringwood_core::collective::Collective). A new one is a new file with one
//! `register_collective!`, and nothing else changes.

#![forbid(unsafe_code)]

mod ring;

pub use ring::{RING, RingReducer};
