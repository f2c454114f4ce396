//! Schedules of collectives: built, verified, run.

pub mod transport;

/// A collective algorithm: a pure description of who sends what to whom.
pub trait Collective: Send + Sync {}
