//! All-gather: every rank ends with the blocks of all.

mod bruck;
mod direct;
mod neighbor_exchange;
mod recursive_doubling;
mod ring;

pub use bruck::{BRUCK_ALL_GATHER, Bruck};
pub use direct::{DIRECT_ALL_GATHER, Direct};
pub use neighbor_exchange::{NEIGHBOR_EXCHANGE_ALL_GATHER, NeighborExchange};
pub use recursive_doubling::{RECURSIVE_DOUBLING_ALL_GATHER, RecursiveDoubling};
pub use ring::{RING_ALL_GATHER, Ring};
