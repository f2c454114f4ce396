//! Groups of ranks, and the communicators that run proved collectives on them.

#![forbid(unsafe_code)]

extern crate self as ringwood_collective;

pub mod calibrate;
mod calibration;
mod coder;
mod communicator;
mod device;
pub mod executor;
mod group;
mod instance;
mod library;
mod peer_buffer;
mod processes;
pub mod resolve;

pub use communicator::{AbortHandle, Call, Communicator, Counters};
pub use device::Tensors;
pub use group::{Group, GroupBuilder, spmd};
pub use instance::InstanceId;
pub(crate) use instance::{Tell, Turns};
pub use library::{CollectiveLibrary, CollectiveLibraryDef, LibraryMember, explain_libraries};
pub use peer_buffer::PeerBuffer;
pub use processes::{Membership, Processes};

#[doc(hidden)]
pub mod __private;
