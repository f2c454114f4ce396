//! The stream that runs everything in the call that submits it.

use crate::command::Command;
use crate::float::Ieee;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Progress;
use ringwood_device::backend::queue::LIMIT;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Submissions of several threads take turns. A wait for an event of another stream blocks the
/// call.
#[derive(Default)]
pub(super) struct SyncLane {
    /// The thread whose turn it is, 0 if none.
    runner: AtomicUsize,
    progress: Arc<Progress>,
}

/// The turn of a thread, which ends with this.
struct Turn<'a>(&'a AtomicUsize);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.store(0, Ordering::Release);
    }
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
        let mode = Ieee::enter();
        self.progress.submit();
        command.run(&self.progress);
        drop(mode);
        drop(turn);
        self.progress.failure().map_or(Ok(()), |error| Err(error.clone()))
    }

    pub(super) fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    fn take_turn(&self) -> Result<Turn<'_>> {
        let me = this_thread();
        let mut deadline = None;
        loop {
            match self.runner.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Ok(Turn(&self.runner)),
                Err(runner) if runner == me => {
                    let message = "cpu: work of a sync stream submits to its own stream";
                    let help = "submit after the call that runs it, or use a threaded stream";
                    return Err(Error::invalid(message).help(help));
                }
                Err(_) => {}
            }
            if Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + LIMIT) {
                return Err(Error::timeout(format!("cpu: a sync stream was busy for {LIMIT:?}")));
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

#[cfg(test)]
mod tests;
