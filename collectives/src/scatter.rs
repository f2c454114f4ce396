//! Scatter: every rank ends with its block of the root's buffer.

mod binomial;
mod direct;

pub use binomial::Binomial;
pub use direct::Direct;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::binomial::binomial_scatter;
    pub use super::direct::direct_scatter;
}
