//! Reduce: the root ends with the merge of all buffers.

mod binomial;
mod chain;
mod direct;

pub use binomial::Binomial;
pub use chain::Chain;
pub use direct::Direct;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::binomial::binomial_reduce;
    pub use super::chain::chain_reduce;
    pub use super::direct::direct_reduce;
}
