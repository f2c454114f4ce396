//! Barrier: no rank ends before all have begun.

mod central;
mod dissemination;

pub use central::{CENTRAL_BARRIER, Central};
pub use dissemination::{DISSEMINATION_BARRIER, Dissemination};
