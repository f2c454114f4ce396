//! Permute: every rank ends with the buffer of the rank that a permutation names.

mod direct;

pub use direct::{DIRECT_PERMUTE, Direct};
