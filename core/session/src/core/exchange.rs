//! How the controller fills and frees registers, and what it makes of workers that do not listen or answer.

use super::{Core, Handle, State};
use crate::channel::Workers;
use crate::progress::Observer;
use crate::protocol::{Command, Failure, Register};
use crate::system::lock;
use ringwood_base::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

impl Core {
    /// Ends the session since workers did not answer.
    pub(super) fn time_out(&self, all: &Arc<dyn Workers>, silent: &[usize]) {
        let text = format!(
            "{} of {} workers did not answer within {:?}: {}",
            silent.len(),
            self.size(),
            self.config.timeout,
            all.progress().activities(silent)
        );
        all.close(Failure::closing(ErrorKind::Timeout, text));
    }

    /// Ends the session since a worker is gone.
    fn lost(&self, all: &Arc<dyn Workers>, worker: usize, error: &Error) -> Error {
        let failure = all.progress().lost(worker, error);
        all.close(failure.clone());
        all.progress().closed().cloned().unwrap_or(failure).into()
    }

    /// Fills a register of every worker by the commands that `send` hands over.
    pub(super) fn fill(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        send: impl FnOnce(&dyn Workers, Register, Instant) -> Result<(), (usize, Error)>,
    ) -> Result<Handle> {
        let (generation, register) = (state.generation, state.registers.allocate());
        // The handle comes first: it gives the register back if the submission fails.
        let question = Mutex::default();
        let handle = Handle { core: self.clone(), generation, register, question };
        let deadline = self.deadline();
        let freed = self.free(&mut state, deadline);
        freed.map_err(|(worker, error)| self.lost(&state.workers, worker, &error))?;
        let sent = send(&*state.workers, register, deadline);
        sent.map_err(|failed| self.refused(&state.workers, failed))?;
        Ok(handle)
    }

    /// Why a command did not get to all workers.
    pub(super) fn refused(&self, all: &Arc<dyn Workers>, (worker, error): (usize, Error)) -> Error {
        // It is no message, or there is no memory for it. A message for all is written once, for the first worker; where
        // each gets its own, these fill a register, whose handle empties it.
        if matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::InvalidArgument) {
            let message = format!("worker {worker} of {} {error}", self.size());
            return Error::new(error.kind(), message);
        }
        self.lost(all, worker, &error)
    }

    /// Tells the workers which registers are free, so that they can be used again; if one takes no command until the
    /// deadline, a later command does it. A worker that hears twice that a register is free empties it twice, before it
    /// is used again.
    pub(super) fn free(&self, state: &mut State, deadline: Instant) -> Result<(), (usize, Error)> {
        let generation = state.generation;
        let mut registers = std::mem::take(&mut *lock(&self.released));
        registers.retain(|released| released.0 == generation);
        let registers: Vec<_> = registers.into_iter().map(|(_, register)| register).collect();
        if registers.is_empty() {
            return Ok(());
        }
        let told = state.workers.send_all(Command::Free { registers: registers.clone() }, deadline);
        match told {
            Ok(()) => registers.into_iter().for_each(|register| state.registers.free(register)),
            Err(_) => lock(&self.released).extend(registers.into_iter().map(|r| (generation, r))),
        }
        told
    }
}
