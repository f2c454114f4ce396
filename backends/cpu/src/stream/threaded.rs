//! The stream with a thread of its own.

use super::chaos::Chaos;
use crate::command::{Command, Failure, LIMIT};
use crate::float::Ieee;
use crossbeam_channel::{Receiver, SendTimeoutError, Sender, TryRecvError, TrySendError};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::backend::linger;
use std::sync::Arc;
use std::time::Duration;

/// How many commands may be under way before a submission waits.
const DEPTH: usize = 4096;

/// A thread and a bounded channel. The thread ends when the stream is dropped and all submitted
/// work has run.
pub(super) struct ThreadedLane {
    commands: Sender<Command>,
    failure: Arc<Failure>,
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
        let failure = Arc::new(Failure::new());
        let sticky = Arc::clone(&failure);
        std::thread::Builder::new()
            .name(format!("cpu:0 stream {index}"))
            .spawn(move || work(&queue, &sticky, chaos))
            .map_err(|e| {
                Error::new(ErrorKind::Backend, "cpu: cannot start a stream's thread").because(e)
            })?;
        Ok(Self { commands, failure, limit })
    }

    pub(super) fn submit(&self, command: Command) -> Result<()> {
        if let Some(error) = self.failure.get() {
            command.fail(error);
            return Err(error.clone());
        }
        match self.commands.try_send(command) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(command)) => self.submit_when_there_is_room(command),
            Err(TrySendError::Disconnected(command)) => Err(refuse(command, ended())),
        }
    }

    fn submit_when_there_is_room(&self, command: Command) -> Result<()> {
        self.commands.send_timeout(command, self.limit).map_err(|e| match e {
            SendTimeoutError::Timeout(command) => refuse(command, full(self.limit)),
            SendTimeoutError::Disconnected(command) => refuse(command, ended()),
        })
    }
}

fn work(queue: &Receiver<Command>, failure: &Failure, mut chaos: Option<Chaos>) {
    let _mode = Ieee::enter();
    let soon = || match queue.try_recv() {
        Err(TryRecvError::Empty) => None,
        ended => Some(ended.ok()),
    };
    while let Some(command) = linger(LIMIT, soon).unwrap_or_else(|| queue.recv().ok()) {
        if let Some(chaos) = &mut chaos {
            chaos.delay();
        }
        command.run(failure);
    }
}

fn refuse(command: Command, error: Error) -> Error {
    command.fail(&error);
    error
}

fn full(limit: Duration) -> Error {
    let message = format!("cpu: a stream took no work for {limit:?}, with its channel full");
    Error::new(ErrorKind::Timeout, message).help("look for a kernel or a sink that does not end")
}

fn ended() -> Error {
    Error::new(ErrorKind::Backend, "cpu: the thread of a stream has ended")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use ringwood_device::backend::Status;

    #[test]
    fn a_full_channel_blocks_the_submitter_up_to_the_limit() {
        let limit = Duration::from_millis(20);
        let lane = ThreadedLane::with_bounds(0, None, 1, limit).unwrap();
        let gate = Event::default();
        lane.submit(Command::Wait(gate.clone())).unwrap();
        let error = (0..3).find_map(|_| lane.submit(Command::Record(Event::default())).err());
        assert_eq!(error.unwrap().kind(), ErrorKind::Timeout);
        gate.finish(Ok(()));
        let last = Event::default();
        while lane.submit(Command::Record(last.clone())).is_err() {}
        assert!(last.block(Duration::from_secs(10)).is_ok());
    }

    #[test]
    fn work_submitted_before_the_drop_still_runs() {
        let lane = ThreadedLane::start(0, None).unwrap();
        let (gate, last) = (Event::default(), Event::default());
        lane.submit(Command::Wait(gate.clone())).unwrap();
        lane.submit(Command::Record(last.clone())).unwrap();
        drop(lane);
        assert!(matches!(last.status(), Status::Pending));
        gate.finish(Ok(()));
        assert!(last.block(Duration::from_secs(10)).is_ok());
    }
}
