//! How ranks reach each other's data: transports, what they run of a proved schedule, and the
//! flight recorder of what they wait for.
//!
//! A [`Transport`] connects the ranks of a group and runs proved schedules over what connects them.
//! Register one with [`register_transport!`]; a group asks for it by name.

extern crate self as ringwood_transport;

mod agreement;
#[cfg(target_os = "linux")]
mod arena;
mod arrivals;
mod board;
mod bootstrap;
mod cache;
mod call;
mod call_spec;
#[cfg(unix)]
mod channel;
mod failure;
pub mod flight;
#[cfg(unix)]
mod input;
mod late;
mod memory;
mod message;
mod offer;
mod peer;
mod plan;
#[cfg(target_os = "linux")]
#[doc(hidden)]
pub mod process;
mod program;
mod record;
mod region;
mod slab;
#[cfg(unix)]
mod socket;
#[cfg(feature = "steps")]
mod steps;
mod transport;
mod wait;
mod words;

pub use agreement::{Field, Statement, disagreement, list_numbers, list_ranks, refusal};
#[cfg(target_os = "linux")]
pub use arena::{Arena, rings};
#[cfg(target_os = "linux")]
pub(crate) use arena::{Map, SHARED};
pub use bootstrap::Bootstrap;
pub use call::{Bounds, Buffers, Intent, Ready, same_lengths};
pub use call_spec::CallSpec;
#[cfg(unix)]
pub use channel::Channel;
pub use failure::{Failure, Relay};
#[cfg(unix)]
#[doc(hidden)]
pub use input::take_input;
pub use late::Late;
pub use memory::PeerMemory;
pub use plan::{Merge, NativeKernel, Plan, fit, group_size_as};
#[doc(hidden)]
pub use program::{is_out_of_files, own_program, state_of};
pub use region::Region;
pub use ringwood_schedule::Capabilities;
pub use ringwood_schedule::lower::{Address, Memory, Op, Program};
pub(crate) use slab::Slab;
#[cfg(unix)]
pub use socket::{Socket, over_channels};
#[cfg(feature = "steps")]
pub use steps::before_steps;
pub use transport::{Endpoint, Transport, TransportDef};

#[doc(hidden)]
pub mod __private;

register_transport!(peer_memory, PeerMemory);

/// The entries of the transports of this crate.
pub mod entries {
    #[cfg(target_os = "linux")]
    pub use crate::arena::arena;
    pub use crate::peer_memory;
    #[cfg(unix)]
    pub use crate::socket::socket;
}
