//! Reduce: the root ends with the merge of all buffers.

mod binomial;
mod chain;
mod direct;

pub use binomial::{BINOMIAL_REDUCE, Binomial};
pub use chain::{CHAIN_REDUCE, Chain};
pub use direct::{DIRECT_REDUCE, Direct};
