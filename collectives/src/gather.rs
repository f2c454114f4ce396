//! Gather: the root ends with the blocks of all.

mod binomial;
mod direct;

pub use binomial::Binomial;
pub use direct::Direct;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::binomial::binomial_gather;
    pub use super::direct::direct_gather;
}
