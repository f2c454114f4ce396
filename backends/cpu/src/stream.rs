//! In-order lanes of `cpu:0`.

mod chaos;
mod sync;
mod threaded;

use crate::command::Command;
use crate::device::{Device, KINDS};
use chaos::Chaos;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Progress;
use std::num::ParseIntError;
use std::sync::Arc;
use sync::SyncLane;
use threaded::ThreadedLane;

/// A stream of `cpu:0`.
///
/// Dropping it does not block: submitted work still runs, and its events complete.
pub struct Stream(Lane);

enum Lane {
    Sync(SyncLane),
    Threaded(ThreadedLane),
}

impl Stream {
    /// A stream of `kind`: `threaded`, `sync`, or `chaos:SEED` (`chaos` alone has seed 0).
    pub(crate) fn new(device: &Device, kind: &str) -> Result<Self> {
        let (kind, argument) = kind.split_once(':').map_or((kind, None), |(k, a)| (k, Some(a)));
        let index = device.next_stream();
        Ok(Self(match (kind, argument) {
            ("sync", None) => Lane::Sync(SyncLane::default()),
            ("threaded", None) => Lane::Threaded(ThreadedLane::start(index, None)?),
            ("chaos", seed) => {
                let chaos = Chaos::new(parse_seed(seed.unwrap_or("0"))?, index);
                Lane::Threaded(ThreadedLane::start(index, Some(chaos))?)
            }
            ("sync" | "threaded", Some(argument)) => {
                let message = format!("cpu: stream kind `{kind}` takes no argument `{argument}`");
                return Err(Error::invalid(message));
            }
            _ => {
                let message = format!("cpu: no stream kind `{kind}`; known: {}", KINDS.join(", "));
                return Err(Error::invalid(message));
            }
        }))
    }

    /// Submits a command.
    ///
    /// # Errors
    /// The stream's first failure, or that it took no work within the bound. Whoever waits for the
    /// command is told.
    pub(crate) fn submit(&self, command: Command) -> Result<()> {
        match &self.0 {
            Lane::Sync(lane) => lane.submit(command),
            Lane::Threaded(lane) => lane.submit(command),
        }
    }

    /// How far it has come.
    pub(crate) fn progress(&self) -> &Arc<Progress> {
        match &self.0 {
            Lane::Sync(lane) => lane.progress(),
            Lane::Threaded(lane) => lane.progress(),
        }
    }
}

fn parse_seed(text: &str) -> Result<u64> {
    text.parse().map_err(|e: ParseIntError| {
        let message = format!("cpu: the seed of a chaos stream is a number, not `{text}`");
        Error::invalid(message).because(e)
    })
}
