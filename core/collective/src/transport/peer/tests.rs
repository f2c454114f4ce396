//! What a test does to ranks between their operations.

pub(super) mod delays;
pub(super) mod faults;
