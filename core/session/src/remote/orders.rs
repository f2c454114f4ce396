//! Who reads the controller's orders on a worker.
//!
//! The thread that runs commands reads the next one itself, since waking it would take longer than most commands. While a
//! command takes longer, the listener reads in its place: orders that are no commands are obeyed whatever the worker does.

use crate::protocol::Command;
use ringwood_base::sync::lock;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub(super) struct Orders {
    turn: Mutex<Turn>,
    /// The worker has a command, or no more of them.
    come: Condvar,
    /// The listener has something to look at.
    begun: Condvar,
}

#[derive(Default)]
struct Turn {
    commands: VecDeque<Command>,
    /// The commands that the worker has taken.
    taken: u64,
    /// The worker waits for a command, and reads if the listener does not.
    waits: bool,
    /// The listener reads.
    listens: bool,
    /// The listener does not look at the worker, until it is woken.
    asleep: bool,
    /// The worker takes no command any more.
    ended: bool,
    /// There is no more order.
    over: bool,
}

/// A command that takes longer is not waited for: the listener reads.
const PATIENCE: Duration = Duration::from_millis(2);

/// A worker that does not wait tells how far it is once in so many commands.
const OFTEN: u64 = 512;

impl Orders {
    /// A command, for the worker.
    pub(super) fn add(&self, command: Command) {
        lock(&self.turn).commands.push_back(command);
    }

    /// The commands that the worker has taken.
    pub(super) fn taken(&self) -> u64 {
        lock(&self.turn).taken
    }

    /// There is no more order; whether the worker still takes commands.
    pub(super) fn end(&self) -> bool {
        let mut turn = lock(&self.turn);
        turn.over = true;
        let works = !turn.ended;
        self.wake(turn);
        works
    }

    /// The worker takes no command any more.
    pub(super) fn leave(&self) {
        let mut turn = lock(&self.turn);
        turn.ended = true;
        self.wake(turn);
    }

    fn wake(&self, mut turn: MutexGuard<'_, Turn>) {
        if std::mem::take(&mut turn.asleep) {
            self.begun.notify_one();
        }
    }

    /// The worker's next command, `None` after the last one: `read` waits for an order, and `tell` tells how many commands
    /// are done.
    pub(super) fn take(&self, tell: impl Fn(u64), read: impl Fn()) -> Option<Command> {
        let mut turn = lock(&self.turn);
        loop {
            if let Some(command) = turn.commands.pop_front() {
                turn.taken += 1;
                turn.waits = false;
                let done = turn.taken - 1;
                self.wake(turn);
                if done.is_multiple_of(OFTEN) {
                    tell(done);
                }
                return Some(command);
            }
            if turn.over {
                return None;
            }
            if turn.listens {
                let done = turn.taken;
                turn = self.apart(turn, || tell(done));
                while turn.listens && turn.commands.is_empty() && !turn.over {
                    turn.waits = true;
                    turn = wait(&self.come, turn);
                }
            } else {
                turn.waits = true;
                turn = self.apart(turn, &read);
            }
        }
    }

    /// Does something without the turn.
    fn apart<'a>(
        &'a self,
        turn: MutexGuard<'a, Turn>,
        what: impl FnOnce(),
    ) -> MutexGuard<'a, Turn> {
        drop(turn);
        what();
        lock(&self.turn)
    }

    /// Reads in the worker's place whenever that does not, until there is no more order; and tells that it waits, where
    /// that is not for the next moment only.
    pub(super) fn listen(&self, tell: impl Fn(u64), read: impl Fn()) {
        let mut turn = lock(&self.turn);
        while !turn.over {
            let before = turn.taken;
            if !turn.ended {
                let woken = self.begun.wait_timeout(turn, PATIENCE);
                turn = woken.unwrap_or_else(PoisonError::into_inner).0;
            }
            if turn.taken == before && turn.waits {
                turn = self.apart(turn, || tell(before));
                turn.asleep = turn.taken == before && !turn.over;
                while turn.asleep {
                    turn = wait(&self.begun, turn);
                }
            } else if turn.taken == before {
                turn.listens = true;
                while turn.listens && !turn.over {
                    turn = self.apart(turn, &read);
                    turn.listens = !turn.waits;
                    self.come.notify_one();
                }
            }
        }
    }
}

fn wait<'a>(condition: &Condvar, turn: MutexGuard<'a, Turn>) -> MutexGuard<'a, Turn> {
    condition.wait(turn).unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
