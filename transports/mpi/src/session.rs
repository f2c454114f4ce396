//! Sessions whose workers are ranks of MPI: rank 0 is the controller, the others are its workers.
//!
//! The frames of worker processes travel as messages of MPI between the ranks, tensors included.

mod home;
mod link;
mod links;
mod post;

use crate::launch::{Launch, Launcher};
use crate::rendezvous::part;
use crate::world::init;
use home::home;
use links::Ranks;
use ringwood_base::sync::{given_threads, set_threads};
use ringwood_base::{Error, Result};
use ringwood_session::remote::give_up;
use ringwood_session::{Config, SessionBuilder, SessionKind, Spmd, Workers, register_session_kind};
use std::sync::Arc;
use std::time::Instant;

/// The process of the controller.
const CONTROLLER: usize = 0;

/// Sessions whose workers are processes that a launcher started together; rank 0 is the controller.
pub enum MpiSession {
    /// The other ranks are its workers: the kind `mpi`.
    Apart,
    /// All ranks are its workers, also rank 0, where the worker is a thread: the kind `mpi_all`.
    All,
}

register_session_kind!(mpi, MpiSession::Apart);
register_session_kind!(mpi_all, MpiSession::All);

impl MpiSession {
    /// The process of worker 0.
    fn first(&self) -> usize {
        match self {
            Self::Apart => 1,
            Self::All => 0,
        }
    }

    /// The error of a session in one process.
    fn alone(&self) -> Error {
        let (what, help) = match self {
            Self::Apart => (
                "the controller of a session without workers",
                "start the program with `mpirun -n 5`, for four workers",
            ),
            Self::All => (
                "and no launcher says how many workers there are",
                "start the program with `mpirun -n 4`, for four workers, of which rank 0 is one",
            ),
        };
        Error::unavailable(format!("MPI has one process here, {what}")).help(help)
    }
}

impl SessionKind for MpiSession {
    fn takes(&self, transport: &str) -> bool {
        transport == "mpi"
    }

    fn workers(&self) -> Result<Option<usize>> {
        ringwood_session::serve();
        let launch = Launch::of_this_process()?;
        match launch.size {
            Some(size) if size > self.first() => Ok(Some(size - self.first())),
            None if launch.launcher != Launcher::None => Ok(None),
            _ => Err(self.alone().with("launcher", launch.launcher)),
        }
    }

    fn start(&self, session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        let home = home()?;
        if home.engine.rank == CONTROLLER {
            return Ranks::start(&home, self.first(), session, config);
        }
        if !home.enter(1) {
            return Err(Error::invalid(
                "a worker of a session over MPI starts another one over MPI",
            )
            .help("start one of threads or processes"));
        }
        // The controller's end of MPI waits for those that have not left the rendezvous.
        part(&home.engine, None, Instant::now());
        // A number that the launcher gave this rank stays, whatever that of the controller is. What is none is an
        // error of the session's start.
        if let Ok(Some(threads)) = given_threads() {
            set_threads(threads)?;
        }
        let served = link::serve(&home, config.runtime(), None);
        served.unwrap_or_else(|error| give_up(&error));
        home.leave();
        std::process::exit(0)
    }

    fn rank(&self, asked: Option<&SessionBuilder>) -> Result<Option<Spmd>> {
        ringwood_session::serve();
        let launcher = Launch::of_this_process()?.launcher;
        if launcher == Launcher::None {
            let alone =
                || Error::unavailable("MPI has one process here").with("launcher", launcher);
            let help = "start the program with `mpirun -n 4`";
            return asked.map_or(Ok(None), |_| Err(alone().help(help)));
        }
        let world = init()?;
        Ok(Some(Spmd::new(world.communicator()?, "mpi", move || world.resolver())))
    }
}

#[cfg(test)]
mod tests;
