//! Barrier: no rank ends before all have begun.

mod central;
mod dissemination;

pub use central::Central;
pub use dissemination::Dissemination;

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::central::central_barrier;
    pub use super::dissemination::dissemination_barrier;
}
