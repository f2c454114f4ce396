//! Heterogeneous and distributed compute: a backend, a kernel or a collective is one annotated item.
#![forbid(unsafe_code)]

extern crate ringwood_backend_cpu as _;
extern crate ringwood_backend_null as _;
extern crate ringwood_collectives as _;
extern crate ringwood_kernels as _;

pub use ringwood_core::*;
// Expansions of these name `::ringwood`; they hide the ones of `ringwood_core`.
pub use ringwood_macros::{backend, global_fn, kernel, register_collective};
