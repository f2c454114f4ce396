//! The mechanism of Ringwood.
//!
//! | module | noun |
//! |---|---|
//! | [`registry`] | the annotated items of a program, sorted, located, found by name |
//! | [`mod@backend`] | what a device author writes ([`backend::Backend`]) and its erased twin |
//! | [`mod@kernel`] | what a kernel declares, and how a launch hands it its arguments |
//! | [`device`] | devices, streams, buffers, contexts and routines of the run time |
//! | [`graph`] | the program representation, its passes and its plans |
//! | [`collective`] | schedules of collectives: built, verified, run |
//! | [`session`] | a controller and its workers |
//!
//! This crate depends on no backend and on no algorithm. Programs use the facade, `ringwood`.

// Expansions of our own macros name this crate by its absolute path.
extern crate self as ringwood_core;

pub mod backend;
mod bounded;
pub mod collective;
mod deadline;
pub mod device;
mod dtype;
mod error;
pub mod graph;
pub mod kernel;
pub mod operator;
pub mod registry;
pub mod session;
mod shape;
mod strided;
mod sync;
mod waker;

pub use ringwood_macros::{
    backend_core as backend, device_fn_core as device_fn, global_fn_core as global_fn,
    kernel_core as kernel, register_collective_core as register_collective,
};

pub use bounded::Bounded;
pub use dtype::{DType, Element, Scalar, ScalarType};
pub use error::{Error, ErrorKind, Result};
pub use shape::{MAX_RANK, Shape};
pub use strided::StridedShape;

/// The typed kernel IR: representation, text form, checker and interpreter.
pub use ringwood_ir as ir;

#[doc(hidden)]
pub mod __private;
