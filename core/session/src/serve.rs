//! The life of a worker: commands until the last one.

use super::answers::Answer;
use super::channel::{GLANCE, WorkerEnd, Workers, ended};
use super::config::Config;
use super::machine::Machine;
use super::placement::{Placement, record};
use super::progress::Observer;
use super::protocol::{Command, Reply};
use super::{Value, Worker, panic};
use ringwood_base::{Error, Result};
use ringwood_collective::Communicator;
use std::sync::Arc;
use std::time::Instant;

/// The request that a worker answers when it is ready.
pub(super) const READY: u64 = 0;
/// The request that it answers when it is in its group, where there are several; callers' have higher numbers.
pub(super) const JOINED: u64 = 1;

/// Serves until the controller shuts the worker down or is gone; `open` gives its place in the group of
/// all workers.
pub(super) fn serve(
    config: &Config,
    place: Placement,
    observer: Arc<dyn Observer>,
    open: impl FnOnce() -> Result<Communicator>,
    end: &mut impl WorkerEnd,
) {
    let mut request = READY;
    let ready = |request| Reply { request, outcome: Ok(Value::None) };
    let started = panic::guard("the start of a worker", || {
        place.take(config)?;
        let registry = config.runtime()?.registry().clone();
        let mut worker = Worker::new(observer, open()?, config, place.number)?;
        record(&worker);
        if config.groups > 1 {
            end.send(ready(request));
            request = JOINED;
            worker.join_group(config.groups)?;
        }
        Ok(Machine::new(worker, registry))
    });
    let mut machine = match started.flatten() {
        Ok(machine) => machine,
        Err(error) => return end.send(Reply { request, outcome: Err((&error).into()) }),
    };
    end.send(ready(request));
    while let Some(command) = end.receive()
        && !matches!(command, Command::Shutdown)
    {
        machine.step(command).into_iter().for_each(|reply| end.send(reply));
    }
    // What the worker kept for the user is dropped here, and may panic.
    let _ = panic::guard("the end of a worker", || drop(machine));
}

/// Waits until all workers are ready: each alone, and then in its group, so that who cannot even start is named before
/// those who miss it.
///
/// # Errors
/// A worker fails to set itself up, is gone, or is not ready in time.
pub(super) fn await_ready(all: &dyn Workers, size: usize, deadline: Instant) -> Result<()> {
    let ready = &all.progress().answers.ready;
    let words = || ready.iter().flat_map(|answer| (0..size).map(move |rank| (answer, rank)));
    let said = |(answer, rank): (&Arc<Answer>, usize)| answer.said(|said| said[rank].clone());
    for word in words() {
        let outcome = loop {
            let now = Instant::now();
            if let Some(outcome) = said(word) {
                break outcome;
            } else if all.progress().closed().is_some() {
                let refusal = words().filter_map(said).find_map(Result::err);
                return Err(refusal.map_or_else(ended, Error::from));
            } else if now >= deadline {
                let text = format!("worker {} of {size} did not start in time", word.1);
                return Err(Error::timeout(text));
            }
            all.wait(word.0, deadline.min(now + GLANCE));
        };
        outcome?;
    }
    Ok(())
}
