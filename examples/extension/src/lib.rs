//! A backend, a kernel and a collective of Ringwood in a crate of their own.
//!
//! Nothing else mentions them: a program that links this crate (`use ringwood_extension as _;`)
//! lists them, places work on the device and chooses the collective.

mod abacus;
mod smoothing;
mod star;

pub use abacus::Abacus;
pub use smoothing::smooth;
pub use star::{STAR, Star};
