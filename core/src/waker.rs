//! The task that waits for something, in a cell that its end can call.

use crate::sync::Mutex;
use std::sync::PoisonError;
use std::task::Waker;

/// The latest task that polled. Who polls stores the task first and looks at the state after; who
/// changes the state wakes after: then no wake is lost.
pub(crate) struct TaskCell(Mutex<Waker>);

impl TaskCell {
    pub(crate) fn new(task: &Waker) -> Self {
        Self(Mutex::new(task.clone()))
    }

    pub(crate) fn set(&self, task: &Waker) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone_from(task);
    }

    /// The lock is free while the task wakes, which may poll at once.
    pub(crate) fn wake(&self) {
        let task = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        task.wake();
    }
}
