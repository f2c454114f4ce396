//! All-to-all: every rank ends with its block of each buffer.

mod bruck;
mod direct;
mod pairwise;

pub use self::{bruck::Bruck, direct::Direct, pairwise::Pairwise};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{
        bruck::bruck_all_to_all, direct::direct_all_to_all, pairwise::pairwise_all_to_all,
    };
}
