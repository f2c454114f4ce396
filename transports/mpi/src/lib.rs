//! Ranks that an MPI launcher starts: groups of them, over the MPI library of the machine, which is
//! loaded at run time.
//!
//! One binary works with Open MPI, with the MPICH family and with the ABI of the MPI 5 standard, which
//! differ in the values of handles and constants, and in where a status has its source. [`init`] starts MPI,
//! [`World::communicator`] joins the group of all processes, over the transport [`Mpi`]: ranks of one machine share memory,
//! others send messages. The guide is `docs/mpi.md`.

mod abi;
mod connector;
mod endpoint;
mod engine;
mod holder;
mod launch;
mod library;
mod life;
mod meet;
mod pipe;
mod rendezvous;
mod session;
mod transport;
mod watch;
mod world;

pub use launch::{Launch, Launcher};
pub use library::Library;
pub use session::{MpiSession, mpi as mpi_session, mpi_all as mpi_all_session};
pub use transport::{Mpi, mpi};
pub use world::{World, init};
