//! Gather: the root ends with the blocks of all.

mod binomial;
mod direct;

pub use self::{binomial::Binomial, direct::Direct};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{binomial::binomial_gather, direct::direct_gather};
}
