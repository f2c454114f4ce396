//! The engine of collectives: transports, groups, and the communicators that run proved schedules.

extern crate self as ringwood_collective;

mod agreement;
pub mod calibrate;
mod calibration;
mod call_spec;
mod coder;
mod communicator;
mod device;
mod engine;
pub mod executor;
pub mod flight;
mod group;
mod instance;
mod peer_buffer;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub mod process;
mod processes;
mod promise;
pub mod resolve;
pub mod transport;

pub use agreement::{Field, Statement, refusal};
pub use call_spec::CallSpec;
pub use communicator::{AbortHandle, Call, Communicator, Counters};
pub use device::Tensors;
pub use group::{Group, GroupBuilder, spmd};
pub use instance::InstanceId;
pub(crate) use instance::{Tell, Turns};
pub use peer_buffer::PeerBuffer;
pub use processes::{Membership, Processes};

#[doc(hidden)]
pub mod __private;
