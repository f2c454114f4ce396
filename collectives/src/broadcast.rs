//! Broadcast: every rank ends with the buffer of the root.

mod binomial;
mod chain;
mod direct;
mod hierarchical_tree;
mod scatter_all_gather;

pub use binomial::Binomial;
pub use chain::Chain;
pub use direct::Direct;
pub use hierarchical_tree::HierarchicalTree;
pub use scatter_all_gather::ScatterAllGather;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::binomial::binomial_broadcast;
    pub use super::chain::chain_broadcast;
    pub use super::direct::direct_broadcast;
    pub use super::hierarchical_tree::hierarchical_tree_broadcast;
    pub use super::scatter_all_gather::scatter_all_gather_broadcast;
}
