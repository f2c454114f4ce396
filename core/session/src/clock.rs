//! The clock of a session for tasks: no thread waits for those, so that one has to look at the time.

use crate::system::{lock, spawn};
use ringwood_base::Result;
use ringwood_base::waker::TaskCell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Instant;

/// Wakes tasks when their time is over. Its thread runs as long as there are some.
#[derive(Default)]
pub(super) struct Clock(Arc<Shared>);

#[derive(Default)]
struct Shared {
    tasks: Mutex<Tasks>,
    emptied: Condvar,
}

#[derive(Default)]
struct Tasks {
    /// All have the same time from their first poll on, so that the first one is due first.
    due: VecDeque<(Instant, Weak<TaskCell>)>,
    runs: bool,
}

impl Clock {
    /// Wakes a task at `deadline`, if somebody keeps it until then.
    ///
    /// # Errors
    /// The system has no thread for the clock.
    pub(super) fn wake_at(&self, deadline: Instant, task: &Arc<TaskCell>) -> Result<()> {
        let mut tasks = lock(&self.0.tasks);
        while tasks.due.front().is_some_and(|(_, task)| task.strong_count() == 0) {
            tasks.due.pop_front();
        }
        if !tasks.runs {
            let shared = Arc::clone(&self.0);
            spawn("clock", "cannot start the clock of a session", move || shared.run())?;
        }
        tasks.runs = true;
        tasks.due.push_back((deadline, Arc::downgrade(task)));
        Ok(())
    }

    /// Nobody awaits any more.
    pub(super) fn stop(&self) {
        lock(&self.0.tasks).due.clear();
        self.0.emptied.notify_all();
    }
}

impl Shared {
    fn run(&self) {
        let mut tasks = lock(&self.tasks);
        while let Some(&(deadline, ref task)) = tasks.due.front() {
            let left = deadline.saturating_duration_since(Instant::now());
            if !left.is_zero() && task.strong_count() > 0 {
                let woken = self.emptied.wait_timeout(tasks, left);
                tasks = woken.unwrap_or_else(PoisonError::into_inner).0;
                continue;
            }
            let task = tasks.due.pop_front().and_then(|(_, task)| task.upgrade());
            drop(tasks);
            task.inspect(|task| task.wake());
            tasks = lock(&self.tasks);
        }
        tasks.runs = false;
    }
}
