//! Gather: the root ends with the blocks of all.

mod binomial;
mod direct;

pub use binomial::{BINOMIAL_GATHER, Binomial};
pub use direct::{DIRECT_GATHER, Direct};
