//! All-gather: every rank ends with the blocks of all.

mod bruck;
mod direct;
mod neighbor_exchange;
mod recursive_doubling;
mod ring;

pub use self::{
    bruck::Bruck, direct::Direct, neighbor_exchange::NeighborExchange,
    recursive_doubling::RecursiveDoubling, ring::Ring,
};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{
        bruck::bruck_all_gather, direct::direct_all_gather,
        neighbor_exchange::neighbor_exchange_all_gather,
        recursive_doubling::recursive_doubling_all_gather, ring::ring_all_gather,
    };
}
