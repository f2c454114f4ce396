//! All-to-all: every rank ends with its block of each buffer.

mod bruck;
mod direct;
mod pairwise;

pub use bruck::{BRUCK_ALL_TO_ALL, Bruck};
pub use direct::{DIRECT_ALL_TO_ALL, Direct};
pub use pairwise::{PAIRWISE_ALL_TO_ALL, Pairwise};
