//! The life of a worker: commands until the last one.

use super::channel::WorkerEnd;
use super::config::Config;
use super::machine::Machine;
use super::placement::{Placement, record};
use super::progress::Observer;
use super::protocol::{Command, Reply};
use super::{Value, Worker, panic};
use ringwood_base::{Error, Result};
use ringwood_collective::Communicator;
use std::sync::Arc;
use std::time::Duration;

/// The request number of the reply that a worker sends when it is ready; of two such replies where there
/// are groups of workers.
pub(super) const READY: u64 = 0;

/// A system that is busy takes its time to start processes and threads.
pub(super) const START: Duration = Duration::from_secs(30);

/// Serves until the controller shuts the worker down or is gone; `open` gives its place in the group of
/// all workers.
pub(super) fn serve(
    config: &Config,
    place: Placement,
    observer: Arc<dyn Observer>,
    open: impl FnOnce() -> Result<Communicator>,
    end: &mut impl WorkerEnd,
) {
    let ready = || Reply { request: READY, outcome: Ok(Value::None) };
    let mut bound = None;
    let started = panic::guard("the start of a worker", || {
        bound = place.take(config)?;
        let registry = config.runtime()?.registry().clone();
        let mut worker = Worker::new(observer, open()?, config, place.number)?;
        record(&worker);
        if config.groups > 1 {
            end.send(ready());
            worker.join_group(config.groups)?;
        }
        Ok(Machine::new(worker, registry))
    });
    let mut machine = match started.flatten() {
        Ok(machine) => machine,
        Err(error) => return end.send(Reply { request: READY, outcome: Err((&error).into()) }),
    };
    end.send(ready());
    while let Some(command) = end.receive()
        && !matches!(command, Command::Shutdown)
    {
        machine.step(command).into_iter().for_each(|reply| end.send(reply));
    }
    // What the worker kept for the user is dropped here, and may panic.
    let _ = panic::guard("the end of a worker", || drop(machine));
}

/// Waits until all workers are ready: `receive` waits for the next such reply of one. Each alone, and
/// then in its group: who cannot even start is named before those who miss it.
///
/// # Errors
/// A worker fails to set itself up, or is not ready in time.
pub(super) fn await_ready(
    config: &Config,
    receive: impl Fn(usize) -> Result<Option<Reply>>,
) -> Result<()> {
    let size = config.workers;
    let times = if config.groups > 1 { 2 } else { 1 };
    (0..times).flat_map(|_| 0..size).try_for_each(|rank| match receive(rank)? {
        Some(reply) => reply.outcome.map(drop).map_err(Error::from),
        None => Err(Error::timeout(format!("worker {rank} of {size} did not start in time"))),
    })
}
