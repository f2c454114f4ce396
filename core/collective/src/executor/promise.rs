//! A value that another thread will give: polled, waited for, awaited; given once.

use ringwood_base::deadline::{deadline, left};
use ringwood_base::sync::{Condvar, Mutex, MutexGuard};
use ringwood_base::waker::TaskCell;
use std::sync::PoisonError;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

pub(super) struct Promise<T> {
    state: Mutex<State<T>>,
    kept: Condvar,
    task: TaskCell,
}

enum State<T> {
    Pending,
    Kept(T),
    Taken,
}

impl<T> Default for Promise<T> {
    fn default() -> Self {
        let task = TaskCell::new(Waker::noop());
        Self { state: Mutex::new(State::Pending), kept: Condvar::new(), task }
    }
}

impl<T> Promise<T> {
    /// Gives the value; only the first one counts.
    pub(super) fn keep(&self, value: T) {
        let mut state = self.lock();
        if matches!(*state, State::Pending) {
            *state = State::Kept(value);
        }
        drop(state);
        self.kept.notify_all();
        self.task.wake();
    }

    /// Looks at the value, if it is there and not taken.
    pub(super) fn look<R>(&self, at: impl FnOnce(&T) -> R) -> Option<R> {
        match &*self.lock() {
            State::Kept(value) => Some(at(value)),
            State::Pending | State::Taken => None,
        }
    }

    /// Takes the value, if it is there.
    pub(super) fn take(&self) -> Option<T> {
        take(&mut self.lock())
    }

    /// Waits until the value is there, at most for this time.
    pub(super) fn wait(&self, timeout: Duration) {
        let deadline = deadline(timeout);
        let mut state = self.lock();
        while matches!(*state, State::Pending) {
            let left = left(deadline);
            if left.is_zero() {
                return;
            }
            let woken = self.kept.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// # Panics
    /// The value was taken before.
    pub(super) fn poll(&self, cx: &Context<'_>) -> Poll<T> {
        self.task.set(cx.waker());
        let mut state = self.lock();
        assert!(!matches!(*state, State::Taken), "a future is polled after it was ready");
        take(&mut state).map_or(Poll::Pending, Poll::Ready)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn take<T>(state: &mut State<T>) -> Option<T> {
    match std::mem::replace(state, State::Taken) {
        State::Kept(value) => Some(value),
        other => {
            *state = other;
            None
        }
    }
}
