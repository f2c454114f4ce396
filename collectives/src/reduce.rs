//! Reduce: the root ends with the merge of all buffers.

mod binomial;
mod chain;
mod direct;

pub use self::{binomial::Binomial, chain::Chain, direct::Direct};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{binomial::binomial_reduce, chain::chain_reduce, direct::direct_reduce};
}
