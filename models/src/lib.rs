//! Models of other programs, as graphs.
//!
//! [`onnx`] reads what exporters write; a model becomes a [`Graph`](ringwood_graph::graph::Graph) and
//! nothing else. There is no representation between the file and the graph: a node of a file is an
//! application of the operator `onnx`, which [`Graph::with_shapes`] replaces by operators of Ringwood.
//!
//! [`tvm`] reads and writes the graphs and parameters of TVM's graph executor.
//!
//! [`picture`] draws a graph with its placement, [`trace`] what a run of it did.
//!
//! [`package`] is a file of a graph, its weights, and what was compiled for it.
//!
//! [`npy`], [`npz`] and [`safetensors`] are files of tensors, read and written. Whatever is read is mapped.
//!
//! [`Graph::with_shapes`]: ringwood_graph::graph::Graph::with_shapes
#![deny(unsafe_code)]

mod check;
mod file;
mod inspect;
mod map;
pub mod npy;
pub mod npz;
#[cfg(feature = "onnx")]
pub mod onnx;
pub mod package;
pub mod picture;
pub mod safetensors;
mod summary;
pub mod trace;
pub mod tvm;
mod zip;

/// What the command of the facade calls.
#[doc(hidden)]
pub mod __private {
    pub use crate::file::write;
}

pub use check::{Finding, check};
pub use inspect::inspect;
pub use summary::{Counted, Described, Part, Summary};
