//! Broadcast: every rank ends with the buffer of the root.

mod binomial;
mod chain;
mod direct;
mod hierarchical_tree;
mod scatter_all_gather;

pub use binomial::{BINOMIAL_BROADCAST, Binomial};
pub use chain::{CHAIN_BROADCAST, Chain};
pub use direct::{DIRECT_BROADCAST, Direct};
pub use hierarchical_tree::{HIERARCHICAL_TREE_BROADCAST, HierarchicalTree};
pub use scatter_all_gather::{SCATTER_ALL_GATHER_BROADCAST, ScatterAllGather};
