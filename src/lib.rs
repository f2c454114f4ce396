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
//! | feature, all default | brings |
//! |---|---|
//! | `inventory` | annotated items of all linked crates are found at link time; without it they are registered by hand, with [`registry::Registry::builder`] |
//! | `cpu`, `opencl`, `cuda` | devices; the last two are loaded at run time |
//! | `kernels` | graphs, with the standard operators and kernels |
//! | `collectives` | groups of ranks and the algorithms that they run; brings `kernels` |
//! | `sessions` | a controller and its workers; brings `collectives` |
//! | `formats` | execution plans of other systems, drawings; brings `collectives` |
//! | `lazy` | [`lazy::Lazy`] tensors: ordinary Rust that records one program; brings `kernels` |
//! | `mpi` | groups of processes that an MPI launcher starts, over the machine's MPI library, loaded at run time; brings `collectives` |
//! | `nccl` | NCCL's collectives for tensors on CUDA devices, loaded at run time; brings `collectives` and `cuda` |
//! | `nn` | layers, optimisers, batches and checkpoints over lazy tensors; brings `lazy` and `models` |
//! | `models`, `onnx` | graphs and tensors of other programs, ONNX among them; bring `kernels` |
//! | `cli` | the command, and [`cli`], which makes a binary of yours that command; brings all but `opencl`, `nccl` and `inventory` |
//! | `native-text` | kernels keep the Rust that was generated for them, which `ringwood kernels NAME --emit cpu` shows; part of `cli` |
#![forbid(unsafe_code)]

// Expansions of the macros name this crate by its absolute path.
extern crate self as ringwood;

// Linked for their registered items.
#[cfg(feature = "cpu")]
extern crate ringwood_backend_cpu as _;
#[cfg(feature = "cuda")]
extern crate ringwood_backend_cuda as _;
#[cfg(feature = "cli")]
extern crate ringwood_backend_null as _;
#[cfg(feature = "opencl")]
extern crate ringwood_backend_opencl as _;
#[cfg(feature = "collectives")]
extern crate ringwood_collectives as _;
#[cfg(feature = "kernels")]
extern crate ringwood_kernels as _;
#[cfg(feature = "nccl")]
extern crate ringwood_nccl as _;

pub mod prelude;

#[cfg(feature = "lazy")]
pub use ringwood_core::lazy::{grad, jit, value_and_grad};
pub use ringwood_core::*;
#[cfg(feature = "formats")]
pub use ringwood_formats as formats;
/// The standard kernels and operators, by path: what `implements = …` and launches name.
#[cfg(feature = "kernels")]
pub use ringwood_kernels as kernels;
#[cfg(feature = "models")]
pub use ringwood_models as models;
#[cfg(feature = "mpi")]
pub use ringwood_mpi as mpi;
#[cfg(feature = "nn")]
pub use ringwood_nn as nn;
// Expansions of these name `::ringwood`; they hide the ones of `ringwood_core`.
#[cfg(feature = "lazy")]
pub use ringwood_macros::Tensors;
#[cfg(feature = "sessions")]
pub use ringwood_macros::global_fn;
#[cfg(feature = "collectives")]
pub use ringwood_macros::register_collective;
pub use ringwood_macros::{backend, device_fn, kernel};

/// Collectives: what an algorithm's author writes, its proof, and the engine that runs it.
#[cfg(feature = "collectives")]
pub mod collective {
    pub use ringwood_core::collective::*;
    // It hides the one whose expansion names a floor.
    pub use ringwood_macros::register_collective;
}

/// The `ringwood` command, as a library.
///
/// A binary that calls [`main`](cli::main) and links crates with annotated items is the `ringwood` command
/// with those items in it:
///
/// ```no_run
/// // use my_backend as _;
///
/// fn main() -> std::process::ExitCode {
///     ringwood::cli::main()
/// }
/// ```
#[cfg(feature = "cli")]
pub mod cli {
    pub use ringwood_cli::{main, run};
}

/// The programs in the guides compile and run.
#[cfg(all(doctest, feature = "cli"))]
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
    #[doc = include_str!("../docs/devices.md")]
    struct Devices;
    #[doc = include_str!("../docs/execution-plans.md")]
    struct ExecutionPlans;
    #[doc = include_str!("../docs/graphs.md")]
    struct Graphs;
    #[doc = include_str!("../docs/models.md")]
    struct Models;
    #[doc = include_str!("../docs/mpi.md")]
    struct Mpi;
    #[doc = include_str!("../docs/numerics.md")]
    struct Numerics;
    #[cfg(all(feature = "inventory", feature = "nccl", feature = "opencl"))]
    #[doc = include_str!("../docs/registration.md")]
    struct Registration;
    #[doc = include_str!("../docs/sessions.md")]
    struct Sessions;
    #[doc = include_str!("../docs/training.md")]
    struct Training;
    #[doc = include_str!("../docs/transports.md")]
    struct Transports;
}
