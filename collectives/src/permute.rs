//! Permute: every rank ends with the buffer of the rank that a permutation names.

mod direct;

pub use direct::Direct;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::direct::direct_permute;
}
