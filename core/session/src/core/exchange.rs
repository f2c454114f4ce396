//! How the controller sends commands and waits for replies.

use super::{Core, Handle, State};
use crate::Value;
use crate::channel::{Sent, Workers};
use crate::progress::Observer;
use crate::protocol::{Command, Failure, Register, Reply};
use ringwood_base::sync::lock;
use ringwood_base::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::{Arc, MutexGuard};
use std::time::Instant;

impl Core {
    /// Sends one request to some workers and takes their replies.
    pub(super) fn ask(
        &self,
        handle: Option<&Handle>,
        workers: Range<usize>,
        command: impl FnOnce(u64) -> Command,
    ) -> Result<Vec<Value>> {
        let (all, request, deadline) = {
            let mut state = self.open()?;
            // Not before: whoever has the session, as to start it again, may keep it for longer.
            let deadline = self.deadline();
            if let Some(handle) = handle {
                self.check_handle(&state, handle)?;
            }
            state.requests += 1;
            let request = state.requests;
            let sent = state.workers.send(workers.clone(), command(request), deadline);
            sent.map_err(|failed| self.refused(&mut state, failed))?;
            (state.workers.clone(), request, deadline)
        };
        let replies = self.collect(&all, workers.clone(), request, deadline);
        if replies.iter().flatten().any(|r| r.outcome.as_ref().is_err_and(|f| f.closes)) {
            // A worker that has answered does not answer twice: what comes until the end is heard.
            let _ = all.progress().receive(workers.start, request, deadline, |w| all.hear(w));
        }
        // A failure that ends the session is the one to report, whatever the replies say.
        if let Some(failure) = all.progress().closed() {
            return Err(self.open().err().unwrap_or_else(|| failure.clone().into()));
        }
        replies?.into_iter().map(|reply| reply.outcome.map_err(Error::from)).collect()
    }

    fn collect(
        &self,
        all: &Arc<dyn Workers>,
        workers: Range<usize>,
        request: u64,
        deadline: Instant,
    ) -> Result<Vec<Reply>> {
        let mut replies = Vec::with_capacity(workers.len());
        let mut silent = Vec::new();
        for worker in workers {
            match all.progress().receive(worker, request, deadline, |w| all.hear(w)) {
                Ok(Some(reply)) => replies.push(reply),
                Ok(None) => silent.push(worker),
                Err(error) => return Err(self.lost(all, worker, &error)),
            }
            if all.progress().closed().is_some() {
                break;
            }
        }
        if silent.is_empty() { Ok(replies) } else { Err(self.timed_out(all, &silent)) }
    }

    /// Ends the session since workers did not answer.
    pub(super) fn timed_out(&self, all: &Arc<dyn Workers>, silent: &[usize]) -> Error {
        let text = format!(
            "{} of {} workers did not answer within {:?}: {}",
            silent.len(),
            self.size(),
            self.config.timeout,
            all.progress().activities(silent)
        );
        let failure = Failure::closing(ErrorKind::Timeout, text);
        all.close(failure.clone());
        failure.into()
    }

    /// Ends the session since a worker is gone.
    fn lost(&self, all: &Arc<dyn Workers>, worker: usize, error: &Error) -> Error {
        let activity = all.progress().activity(worker);
        let text = format!("worker {worker} of {} {error}; it {activity}", self.size());
        let failure = Failure::closing(error.kind(), text);
        all.close(failure.clone());
        all.progress().closed().cloned().unwrap_or(failure).into()
    }

    /// Fills a register of every worker by the commands that `send` hands over.
    pub(super) fn fill(
        self: &Arc<Self>,
        mut state: MutexGuard<'_, State>,
        send: impl FnOnce(&dyn Workers, Register, Instant) -> Sent,
    ) -> Result<Handle> {
        let (generation, register) = (state.generation, state.registers.allocate());
        // The handle comes first: it gives the register back if the submission fails.
        let (question, waited) = Default::default();
        let handle = Handle { core: self.clone(), generation, register, question, waited };
        let deadline = self.deadline();
        let sent = self
            .free(&mut state, deadline)
            .and_then(|()| send(&*state.workers, register, deadline));
        sent.map(|()| handle).map_err(|failed| self.refused(&mut state, failed))
    }

    /// Why a command did not get to all workers, for a caller who is told.
    pub(super) fn refused(&self, state: &mut State, (worker, error): (usize, Error)) -> Error {
        // It is no message, or there is no memory for it. A message for all is written once, for the first worker; where
        // each gets its own, these fill a register, whose handle empties it.
        if matches!(error.kind(), ErrorKind::OutOfMemory | ErrorKind::InvalidArgument) {
            let message = format!("worker {worker} of {} {error}", self.size());
            return Error::new(error.kind(), message);
        }
        let error = self.lost(&state.workers, worker, &error);
        self.told(state);
        error
    }

    /// Tells the workers which registers are free, so that they can be used again; if one takes no command until the
    /// deadline, a later command does it. A worker that hears twice that a register is free empties it twice, before it
    /// is used again.
    pub(super) fn free(&self, state: &mut State, deadline: Instant) -> Sent {
        let generation = state.generation;
        let mut registers = std::mem::take(&mut *lock(&self.released));
        registers.retain(|released| released.0 == generation);
        let registers: Vec<_> = registers.into_iter().map(|(_, register)| register).collect();
        if registers.is_empty() {
            return Ok(());
        }
        let command = Command::Free { registers: registers.clone() };
        let told = state.workers.send(self.all(), command, deadline);
        match told {
            Ok(()) => registers.into_iter().for_each(|register| state.registers.free(register)),
            Err(_) => lock(&self.released).extend(registers.into_iter().map(|r| (generation, r))),
        }
        told
    }
}
