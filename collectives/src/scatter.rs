//! Scatter: every rank ends with its block of the root's buffer.

mod binomial;
mod direct;

pub use self::{binomial::Binomial, direct::Direct};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{binomial::binomial_scatter, direct::direct_scatter};
}
