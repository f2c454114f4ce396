//! Graphs: the program representation, its operators, its passes and its plans.
//!
//! | module | noun |
//! |---|---|
//! | [`operator`] | what an operator declares: its rules of shapes and types, its gradient |
//! | [`graph`] | programs: built, placed, fused, planned, run |
//! | [`compose`] | what operators that are made of others are written with |
//! | [`engine`] | who runs the collectives of programs |
//! | `lazy` | tensors that record programs, functions that run them; a feature of this name |
#![forbid(unsafe_code)]

extern crate self as ringwood_graph;

pub mod compose;
pub mod engine;
pub mod graph;
#[cfg(feature = "lazy")]
pub mod lazy;
pub mod operator;

#[cfg(feature = "lazy")]
pub use ringwood_macros::TensorsGraph as Tensors;

#[doc(hidden)]
pub mod __private;
