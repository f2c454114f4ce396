//! The engine of collectives: transports, groups, and the communicators that run proved schedules.

extern crate self as ringwood_collective;

pub mod calibrate;
mod coder;
mod communicator;
mod device;
mod engine;
pub mod executor;
mod fingerprint;
mod group;
mod peer_buffer;
mod processes;
mod promise;
pub mod rendezvous;
pub mod resolve;
pub mod transport;

pub use communicator::{AbortHandle, Call, Communicator, Counters, Invocation};
pub use device::Tensors;
pub use fingerprint::{Field, Fingerprint, Statement, refusal};
pub use group::{Group, GroupBuilder, spmd};
pub use peer_buffer::PeerBuffer;
pub use processes::{Membership, Processes};

#[doc(hidden)]
pub mod __private;
