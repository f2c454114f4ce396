//! Scatter: every rank ends with its block of the root's buffer.

mod binomial;
mod direct;

pub use binomial::{BINOMIAL_SCATTER, Binomial};
pub use direct::{DIRECT_SCATTER, Direct};
