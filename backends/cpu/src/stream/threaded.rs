//! The stream with a thread of its own.

use super::chaos::Chaos;
use crate::command::Command;
use crate::float::Ieee;
use crossbeam_channel::{Receiver, SendTimeoutError, Sender, TryRecvError, TrySendError};
use ringwood_base::{Error, Result};
use ringwood_device::backend::queue::LIMIT;
use ringwood_device::backend::{Progress, linger};
use std::sync::Arc;
use std::time::Duration;

/// How many commands may be under way before a submission waits.
const DEPTH: usize = 4096;

/// A thread and a bounded channel. The thread ends when the stream is dropped and all submitted
/// work has run.
pub(super) struct ThreadedLane {
    commands: Sender<Command>,
    progress: Arc<Progress>,
    limit: Duration,
}

impl ThreadedLane {
    pub(super) fn start(index: u64, chaos: Option<Chaos>) -> Result<Self> {
        Self::with_bounds(index, chaos, DEPTH, LIMIT)
    }

    fn with_bounds(
        index: u64,
        chaos: Option<Chaos>,
        depth: usize,
        limit: Duration,
    ) -> Result<Self> {
        let (commands, queue) = crossbeam_channel::bounded(depth);
        let progress = Arc::<Progress>::default();
        let told = Arc::clone(&progress);
        std::thread::Builder::new()
            .name(format!("cpu:0 stream {index}"))
            .spawn(move || work(&queue, &told, chaos))
            .map_err(|e| Error::backend("cpu: cannot start a stream's thread").because(e))?;
        Ok(Self { commands, progress, limit })
    }

    pub(super) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    pub(super) fn submit(&self, command: Command) -> Result<()> {
        if let Some(error) = self.progress.failure() {
            command.fail(error);
            return Err(error.clone());
        }
        self.progress.submit();
        match self.commands.try_send(command) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(command)) => self.submit_when_there_is_room(command),
            Err(TrySendError::Disconnected(command)) => Err(self.refuse(command, ended())),
        }
    }

    fn submit_when_there_is_room(&self, command: Command) -> Result<()> {
        self.commands.send_timeout(command, self.limit).map_err(|e| match e {
            SendTimeoutError::Timeout(command) => self.refuse(command, full(self.limit)),
            SendTimeoutError::Disconnected(command) => self.refuse(command, ended()),
        })
    }

    fn refuse(&self, command: Command, error: Error) -> Error {
        self.progress.retract();
        command.fail(&error);
        error
    }
}

fn work(queue: &Receiver<Command>, progress: &Progress, mut chaos: Option<Chaos>) {
    progress.run_here();
    let soon = || match queue.try_recv() {
        Err(TryRecvError::Empty) => None,
        ended => Some(ended.ok()),
    };
    while let Some(command) = linger(LIMIT, soon).unwrap_or_else(|| queue.recv().ok()) {
        if let Some(chaos) = &mut chaos {
            chaos.delay();
        }
        // Of each command: a library that one loads may change the mode.
        let _mode = Ieee::enter();
        command.run(progress);
    }
}

fn full(limit: Duration) -> Error {
    let message = format!("cpu: a stream took no work for {limit:?}, with its channel full");
    Error::timeout(message).help("look for a kernel or a sink that does not end")
}

fn ended() -> Error {
    Error::backend("cpu: the thread of a stream has ended")
}

#[cfg(test)]
mod tests;
