//! The MPI library of the machine, loaded at run time: a build needs none.
//!
//! One binary works with Open MPI, with the MPICH family and with the MPI-5 standard ABI, which
//! differ in the values of their handles only; see [`Library::open`]. What is here is what
//! `ringwood bench` compares with: the world of a process that `mpirun` started, its barrier and
//! its all-reduce.
//!
//! Run on Open MPI 4.1.4 and MPICH 4.0.2; on a library of the standard ABI compiled, not run.

mod abi;
mod library;
mod world;

pub use library::Library;
pub use world::World;
