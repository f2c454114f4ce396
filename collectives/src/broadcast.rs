//! Broadcast: every rank ends with the buffer of the root.

mod binomial;
mod chain;
mod direct;
mod hierarchical_tree;
mod scatter_all_gather;

pub use self::{
    binomial::Binomial, chain::Chain, direct::Direct, hierarchical_tree::HierarchicalTree,
    scatter_all_gather::ScatterAllGather,
};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{
        binomial::binomial_broadcast, chain::chain_broadcast, direct::direct_broadcast,
        hierarchical_tree::hierarchical_tree_broadcast,
        scatter_all_gather::scatter_all_gather_broadcast,
    };
}
