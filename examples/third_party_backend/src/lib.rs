//! A backend of Ringwood, and a kernel for it, in a crate of their own.
//!
//! Nothing else mentions them: a program that links this crate (`use third_party_backend as _;`)
//! lists them and places work on the device.

mod abacus;
mod smoothing;

pub use abacus::Abacus;
pub use smoothing::smooth;
