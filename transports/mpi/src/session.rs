//! Sessions whose workers are ranks of MPI: rank 0 is the controller, the others are its workers.
//!
//! The frames of worker processes travel as messages of MPI between the ranks, tensors included.

mod home;
mod link;
mod links;
mod post;

use crate::launch::{Launch, Launcher};
use home::home;
use links::Ranks;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_session::{Config, SessionKind, Workers, register_session_kind};
use std::sync::Arc;

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
}

impl SessionKind for MpiSession {
    fn workers(&self) -> Result<Option<usize>> {
        let launch = Launch::of_this_process()?;
        match launch.size {
            Some(size) if size > self.first() => Ok(Some(size - self.first())),
            None if launch.launcher != Launcher::None => Ok(None),
            _ => {
                let message =
                    "MPI has one process here, the controller of a session without workers";
                Err(Error::new(ErrorKind::Unavailable, message)
                    .with("launcher", launch.launcher)
                    .help("start the program with `mpirun -n 5`, for four workers"))
            }
        }
    }

    fn start(&self, _session: u64, config: &Config) -> Result<Arc<dyn Workers>> {
        let home = home()?;
        if home.engine.rank == CONTROLLER {
            return Ranks::start(&home, self.first(), config);
        }
        if !home.enter(1) {
            let message = "a worker of a session over MPI starts another one over MPI";
            return Err(Error::new(ErrorKind::InvalidArgument, message)
                .help("start one of threads or processes"));
        }
        if let Err(error) = link::serve(&home, config.runtime(), usize::MAX) {
            ringwood_session::remote::give_up(&error);
        }
        home.leave();
        std::process::exit(0)
    }
}
