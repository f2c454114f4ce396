//! Graphs: the program representation, its operators, its passes and its plans.
//!
//! | module | noun |
//! |---|---|
//! | [`operator`] | what an operator declares: its rules of shapes and types, its gradient |
//! | [`graph`] | programs: built, placed, fused, planned, run |

extern crate self as ringwood_graph;

pub mod graph;
pub mod operator;

#[doc(hidden)]
pub mod __private;
