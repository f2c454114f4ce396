//! The clock of a session for tasks: no thread waits for those, so that one has to look at the time, and at workers that
//! nobody else looks at.

use crate::progress::LOOK;
use crate::system::spawn;
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_base::waker::TaskCell;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError, Weak};
use std::time::Instant;

/// Wakes tasks when their time is over. Its thread runs as long as there are some.
#[derive(Default)]
pub(super) struct Clock(Arc<Shared>);

#[derive(Default)]
struct Shared {
    tasks: Mutex<Tasks>,
    emptied: Condvar,
    /// What looks at the workers, where those that wait for them have to.
    look: OnceLock<Box<dyn Fn() + Send + Sync>>,
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

    /// Whoever waits for the workers has to look at them like this; so does the clock, while tasks wait.
    pub(super) fn looks(&self, look: impl Fn() + Send + Sync + 'static) {
        let _ = self.0.look.set(Box::new(look));
    }

    /// Looks at the workers, where that is for those who wait.
    pub(super) fn look(&self) {
        self.0.look.get().into_iter().for_each(|look| look());
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
                let look = self.look.get();
                let nap = look.map_or(left, |_| left.min(LOOK));
                let woken = self.emptied.wait_timeout(tasks, nap);
                drop(woken.unwrap_or_else(PoisonError::into_inner));
                // It may end the session, and wake tasks.
                look.into_iter().for_each(|look| look());
                tasks = lock(&self.tasks);
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
