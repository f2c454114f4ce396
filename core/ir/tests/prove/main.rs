//! What is proved of a launch holds in its run.

mod build;
mod narrow;
mod random;
mod rules;
