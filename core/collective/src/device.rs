//! Collectives on device tensors: each rank on a device of its own choice, of any backend.
//!
//! A rank runs the same proved program as over host memory, but submits its operations to its
//! device's stream. A wait for a peer's progress is a wait until the peer has *submitted* so far:
//! every buffer has a hazard record, so on the devices the submissions run in an order that gives
//! the same values. Where the devices of two ranks do not reach each other's memory, the bytes go
//! through the host. Merges and final operators are the kernels of the rank's own backend.

mod opaque;
mod part;
mod run;
mod seats;
mod tensors;

pub(super) use opaque::{OpaquePart, as_library};
pub(super) use part::Part;
pub(super) use run::Turn;
pub(super) use seats::Seats;
pub use tensors::Tensors;
