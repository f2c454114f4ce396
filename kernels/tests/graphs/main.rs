//! The standard operators, run through graphs and plans on CPU devices.

mod convolution;
#[path = "../../../tests/support/element_wise.rs"]
mod element_wise;
mod every;
mod extremes;
mod fusion;
mod gradients;
mod images;
mod lazy;
mod merged;
mod model;
mod narrow;
mod operators;
mod overlap;
mod plans;
mod products;
mod programs;
mod random;
mod refused;
mod sizes;
mod support;
mod training;
mod views;
mod window;
