//! Barrier: no rank ends before all have begun.

mod central;
mod dissemination;

pub use self::{central::Central, dissemination::Dissemination};

/// The entries of the algorithms of this module, for registration by hand.
pub mod entries {
    pub use super::{central::central_barrier, dissemination::dissemination_barrier};
}
