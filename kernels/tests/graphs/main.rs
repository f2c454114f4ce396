//! The standard operators, run through graphs and plans on CPU devices.

mod fusion;
mod operators;
mod plans;
mod support;
mod training;
