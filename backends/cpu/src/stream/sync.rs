//! The stream that runs everything in the call that submits it.

use crate::command::{Command, Failure, LIMIT};
use crate::float::Ieee;
use ringwood_core::{Error, ErrorKind, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// Submissions of several threads take turns. A wait for an event of another stream blocks the
/// call.
#[derive(Default)]
pub(super) struct SyncLane {
    turn: Mutex<()>,
    /// The thread whose turn it is, 0 if none.
    runner: AtomicUsize,
    failure: Failure,
}

impl SyncLane {
    pub(super) fn submit(&self, command: Command) -> Result<()> {
        let turn = match self.take_turn() {
            Ok(turn) => turn,
            Err(error) => {
                command.fail(&error);
                return Err(error);
            }
        };
        self.runner.store(this_thread(), Ordering::Relaxed);
        let mode = Ieee::enter();
        command.run(&self.failure);
        drop(mode);
        self.runner.store(0, Ordering::Relaxed);
        drop(turn);
        self.failure.get().map_or(Ok(()), |error| Err(error.clone()))
    }

    fn take_turn(&self) -> Result<MutexGuard<'_, ()>> {
        let mut deadline = None;
        loop {
            match self.turn.try_lock() {
                Ok(turn) => return Ok(turn),
                Err(TryLockError::Poisoned(turn)) => return Ok(PoisonError::into_inner(turn)),
                Err(TryLockError::WouldBlock) => {}
            }
            if self.runner.load(Ordering::Relaxed) == this_thread() {
                let message = "cpu: work of a sync stream submits to its own stream";
                let help = "submit after the call that runs it, or use a threaded stream";
                return Err(Error::new(ErrorKind::InvalidArgument, message).help(help));
            }
            if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + LIMIT) {
                let message = format!("cpu: a sync stream was busy for {LIMIT:?}");
                return Err(Error::new(ErrorKind::Timeout, message));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }
}

/// A number other than 0 that differs between the threads that are alive.
fn this_thread() -> usize {
    thread_local!(static ANCHOR: u8 = const { 0 });
    ANCHOR.with(|anchor| std::ptr::from_ref(anchor) as usize)
}
