//! Devices: what authors of backends and kernels declare, and the run time over them.
//!
//! | module | noun |
//! |---|---|
//! | [`mod@backend`] | what a device author writes ([`backend::Backend`]) and its erased twin |
//! | [`mod@kernel`] | what a kernel declares, and how a launch hands it its arguments |
//! | [`device`] | devices, streams, buffers, contexts and routines of the run time |
//! | [`pool`] | threads that share loops |
//! | [`processors`] | where threads run |

// Expansions of our own macros name this crate by its absolute path.
extern crate self as ringwood_device;

pub mod backend;
pub mod device;
mod handle;
pub mod kernel;
pub mod pool;
pub mod processors;
mod region;

pub use ringwood_macros::{
    backend_device as backend, device_fn_device as device_fn, kernel_device as kernel,
};

#[doc(hidden)]
pub mod __private;
