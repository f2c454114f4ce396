//! Models of other programs, as graphs.
//!
//! [`onnx`] reads what exporters write; a model becomes a [`Graph`](ringwood_graph::graph::Graph) and
//! nothing else. There is no representation between the file and the graph: a node of a file is an
//! application of the operator `onnx`, which [`Graph::with_shapes`] replaces by operators of Ringwood.
//!
//! [`Graph::with_shapes`]: ringwood_graph::graph::Graph::with_shapes
#![forbid(unsafe_code)]

#[cfg(feature = "onnx")]
pub mod onnx;
