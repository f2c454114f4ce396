//! Heterogeneous and distributed compute: a backend, a kernel or a collective is one annotated item.
//!
//! | to declare | write | it then appears in |
//! |---|---|---|
//! | a device | [`#[backend]`](macro@backend) on `impl Backend for T` | [`device::Runtime`], `ringwood devices` |
//! | a kernel | [`#[kernel(device = …)]`](macro@kernel) on a function | launches, graphs, `ringwood kernels` |
//! | an operator | [`register_operator!`] | [`graph::Graph`] |
//! | a collective | [`register_collective!`] | [`collective::Communicator`], `ringwood collectives` |
//! | a worker's function | [`#[global_fn]`](macro@global_fn) | [`session::Session`] |
//!
//! A kernel, from nothing to a result:
//!
//! ```standalone_crate
//! use ringwood::prelude::*;
//!
//! #[kernel(device = [cpu, opencl, cuda])]
//! fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
//!     let i = gid(0);
//!     y[i] = a * x[i] + y[i];
//! }
//!
//! fn main() -> ringwood::Result<()> {
//!     let device = Device::best()?;
//!     let x = device.tensor(&[1.0_f32; 1024])?;
//!     let mut y = device.tensor(&[2.0_f32; 1024])?;
//!     saxpy(3.0, &x, &mut y)?;
//!     assert_eq!(y.to_vec::<f32>()?[..4], [5.0, 5.0, 5.0, 5.0]);
//!     Ok(())
//! }
//! ```
//!
//! # Features
//!
//! - `cli` (default): the command, and [`cli`], which makes a binary of yours that command.
//! - `inventory` (default): annotated items of all linked crates are found at link time. Without it
//!   they are registered by hand, with [`registry::Registry::builder`].
#![forbid(unsafe_code)]

// Expansions of the macros name this crate by its absolute path.
extern crate self as ringwood;

// Linked for their registered items.
extern crate ringwood_backend_cpu as _;
extern crate ringwood_backend_cuda as _;
extern crate ringwood_backend_null as _;
extern crate ringwood_backend_opencl as _;
extern crate ringwood_collectives as _;
extern crate ringwood_kernels as _;

#[cfg(feature = "cli")]
pub mod cli;
pub mod prelude;

pub use ringwood_core::*;
pub use ringwood_formats as formats;
// Expansions of these name `::ringwood`; they hide the ones of `ringwood_core`.
pub use ringwood_macros::{backend, device_fn, global_fn, kernel, register_collective};

/// The programs in the guides compile and run.
#[cfg(doctest)]
mod guides {
    #[doc = include_str!("../README.md")]
    struct Readme;
    #[doc = include_str!("../docs/adding-a-backend.md")]
    struct Backend;
    #[doc = include_str!("../docs/adding-a-collective.md")]
    struct Collective;
    #[doc = include_str!("../docs/adding-an-operator.md")]
    struct Operator;
    #[doc = include_str!("../docs/collectives.md")]
    struct Collectives;
    #[doc = include_str!("../docs/execution-plans.md")]
    struct ExecutionPlans;
}
