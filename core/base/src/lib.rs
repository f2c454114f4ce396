//! What every floor of Ringwood stands on.
//!
//! | module | noun |
//! |---|---|
//! | [`registry`] | the annotated items of a program, sorted, located, found by name |
//! | [`deadline`] | the ends of waits |
//! | [`sync`], [`waker`] | what threads and tasks meet through |
//!
//! Beside them the types that all floors share: [`Error`], [`DType`], [`Scalar`], [`Shape`],
//! [`StridedShape`], and [`Bounded`], the map of caches.
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod aside;
mod bounded;
pub mod deadline;
mod dtype;
mod error;
mod escape;
pub mod registry;
mod shape;
mod shared;
mod strided;
pub mod sync;
pub mod waker;

pub use bounded::Bounded;
pub use dtype::{DType, Element};
pub use error::{Error, ErrorKind, Result};
#[doc(hidden)]
pub use escape::{counted, escape_control};
#[doc(hidden)]
pub use ringwood_ir::named;
#[doc(inline)]
pub use ringwood_ir::{Type as ScalarType, Value as Scalar};
pub use shape::{MAX_RANK, Shape};
pub use shared::Shared;
pub use strided::{StridedShape, is_permutation};

#[doc(hidden)]
pub mod __private;
