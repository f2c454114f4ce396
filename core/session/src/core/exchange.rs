//! How the controller sends commands and waits for replies.

use super::{Core, Handle, State, lock};
use crate::Value;
use crate::channel::{GLANCE, Workers};
use crate::protocol::{Command, Failure, Register, Reply};
use ringwood_base::deadline::deadline;
use ringwood_base::{Error, ErrorKind, Result};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Core {
    /// Sends one request to some workers and takes their replies.
    pub(super) fn ask(
        &self,
        handle: Option<&Handle>,
        workers: Range<usize>,
        command: impl Fn(u64) -> Command,
    ) -> Result<Vec<Value>> {
        let deadline = deadline(self.config.timeout);
        let (all, request) = {
            let mut state = self.open()?;
            if let Some(handle) = handle {
                self.check_handle(&state, handle)?;
            }
            state.requests += 1;
            let request = state.requests;
            for worker in workers.clone() {
                self.send(&mut state, worker, command(request))?;
            }
            (state.workers.clone(), request)
        };
        let replies = self.collect(&all, workers, request, deadline);
        if replies.iter().flatten().any(|r| r.outcome.as_ref().is_err_and(|f| f.closes)) {
            await_end(&all, deadline);
        }
        // A failure that ends the session is the one to report, whatever the replies say.
        if let Some(failure) = all.closed() {
            return Err(self.open().err().unwrap_or_else(|| failure.into()));
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
            match receive(all, worker, request, deadline) {
                Ok(Some(reply)) => replies.push(reply),
                Ok(None) => silent.push(worker),
                Err(error) => return Err(self.lost(all, worker, &error)),
            }
            if all.closed().is_some() {
                break;
            }
        }
        if silent.is_empty() { Ok(replies) } else { Err(self.timed_out(all, &silent)) }
    }

    /// Ends the session since workers did not answer.
    fn timed_out(&self, all: &Arc<dyn Workers>, silent: &[usize]) -> Error {
        let doing: Vec<_> =
            silent.iter().map(|&w| format!("worker {w} {}", all.activity(w))).collect();
        let text = format!(
            "{} of {} workers did not answer within {:?}: {}",
            silent.len(),
            all.size(),
            self.config.timeout,
            doing.join("; ")
        );
        let failure = Failure { kind: ErrorKind::Timeout, text, call: 0, closes: true };
        all.close(failure.clone());
        failure.into()
    }

    /// Ends the session since a worker is gone.
    fn lost(&self, all: &Arc<dyn Workers>, worker: usize, error: &Error) -> Error {
        let activity = all.activity(worker);
        let text = format!("worker {worker} of {} {error}; it {activity}", all.size());
        let failure = Failure { kind: error.kind(), text, call: 0, closes: true };
        all.close(failure.clone());
        all.closed().unwrap_or(failure).into()
    }

    /// Sends one command to every worker.
    pub(super) fn submit(&self, state: &mut State, command: Command) -> Result<()> {
        let deadline = deadline(self.config.timeout);
        self.free(state, deadline)?;
        let sent = state.workers.send_all(command, deadline);
        sent.map_err(|(worker, error)| self.refused(&state.workers, worker, error))
    }

    /// Sends to each worker a command of its own.
    pub(super) fn submit_each(
        &self,
        state: &mut State,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<()> {
        let deadline = deadline(self.config.timeout);
        self.free(state, deadline)?;
        commands.into_iter().enumerate().try_for_each(|(worker, command)| {
            let sent = state.workers.end(worker).send(command, deadline);
            sent.map_err(|error| self.refused(&state.workers, worker, error))
        })
    }

    /// Why a command did not get to all workers.
    fn refused(&self, all: &Arc<dyn Workers>, worker: usize, error: Error) -> Error {
        // No worker has it yet: the others lack nothing.
        if worker == 0 && error.kind() == ErrorKind::OutOfMemory {
            return Error::new(error.kind(), format!("worker 0 of {} {error}", self.size()));
        }
        self.lost(all, worker, &error)
    }

    /// Tells the workers which registers are free, so that they can be used again.
    fn free(&self, state: &mut State, deadline: Instant) -> Result<()> {
        let registers = self.take_released(state);
        for worker in 0..self.size() {
            if !registers.is_empty() {
                let command = Command::Free { registers: registers.clone() };
                self.send_until(state, worker, command, deadline)?;
            }
        }
        registers.into_iter().for_each(|register| state.registers.free(register));
        Ok(())
    }

    /// [`Core::free`] without waiting: if a worker's queue is full, a later command does it. A
    /// worker that hears twice that a register is free empties it twice, before it is used again.
    pub(super) fn try_free(&self, state: &mut State) {
        let registers = self.take_released(state);
        let now = Instant::now();
        let free = || Command::Free { registers: registers.clone() };
        if (0..self.size()).all(|worker| state.workers.end(worker).send(free(), now).is_ok()) {
            registers.into_iter().for_each(|register| state.registers.free(register));
        } else {
            let generation = state.generation;
            lock(&self.released).extend(registers.into_iter().map(|r| (generation, r)));
        }
    }

    /// The released registers of the present workers.
    fn take_released(&self, state: &State) -> Vec<Register> {
        let released = std::mem::take(&mut *lock(&self.released));
        let of_now = released.into_iter().filter(|(generation, _)| *generation == state.generation);
        of_now.map(|(_, register)| register).collect()
    }

    pub(super) fn send(&self, state: &mut State, worker: usize, command: Command) -> Result<()> {
        self.send_until(state, worker, command, deadline(self.config.timeout))
    }

    fn send_until(
        &self,
        state: &mut State,
        worker: usize,
        command: Command,
        deadline: Instant,
    ) -> Result<()> {
        let sent = state.workers.end(worker).send(command, deadline);
        sent.map_err(|error| self.lost(&state.workers, worker, &error))
    }
}

/// Waits until the session has ended, as a worker says it will.
fn await_end(all: &Arc<dyn Workers>, deadline: Instant) {
    while all.closed().is_none() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// The reply of a worker; `None` if it did not come until the deadline or until the session ended.
fn receive(
    all: &Arc<dyn Workers>,
    worker: usize,
    request: u64,
    deadline: Instant,
) -> Result<Option<Reply>> {
    loop {
        let now = Instant::now();
        let reply = all.end(worker).receive(request, deadline.min(now + GLANCE))?;
        if reply.is_some() || now >= deadline || all.closed().is_some() {
            return Ok(reply);
        }
    }
}
