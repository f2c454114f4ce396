//! All-gather: every rank ends with the blocks of all.

mod bruck;
mod direct;
mod neighbor_exchange;
mod recursive_doubling;
mod ring;

pub use bruck::Bruck;
pub use direct::Direct;
pub use neighbor_exchange::NeighborExchange;
pub use recursive_doubling::RecursiveDoubling;
pub use ring::Ring;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::bruck::bruck_all_gather;
    pub use super::direct::direct_all_gather;
    pub use super::neighbor_exchange::neighbor_exchange_all_gather;
    pub use super::recursive_doubling::recursive_doubling_all_gather;
    pub use super::ring::ring_all_gather;
}
