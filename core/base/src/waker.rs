//! The task that waits for something, in a cell that its end can call.

use crate::sync::Mutex;
use std::sync::PoisonError;
use std::task::Waker;

/// The latest task that polled. Who polls stores the task first and looks at the state after; who
/// changes the state wakes after: then no wake is lost.
pub struct TaskCell(Mutex<Waker>);

impl TaskCell {
    /// A cell that holds `task`.
    pub fn new(task: &Waker) -> Self {
        Self(Mutex::new(task.clone()))
    }

    /// Replaces the task.
    pub fn set(&self, task: &Waker) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone_from(task);
    }

    /// Wakes the task. The lock is free while the task wakes, which may poll at once.
    pub fn wake(&self) {
        let task = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        task.wake();
    }
}
