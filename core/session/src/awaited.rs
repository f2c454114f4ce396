//! What threads wait for.

use super::channel::{LOOKS, ended};
use ringwood_base::Result;
use ringwood_base::sync::lock;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::yield_now;
use std::time::Instant;

/// A value that threads change and wait for. A thread that waits hands its core on [`LOOKS`] times before it sleeps.
#[derive(Default)]
pub(super) struct Awaited<T> {
    content: Mutex<Content<T>>,
    changed: Condvar,
}

#[derive(Default)]
struct Content<T> {
    value: T,
    /// A thread waits that nobody has woken since.
    waits: bool,
    /// Nobody changes the value any more for those who wait.
    over: bool,
}

impl<T> Awaited<T> {
    pub(super) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let mut content = lock(&self.content);
        let result = change(&mut content.value);
        self.wake(content);
        result
    }

    /// Who waits gets what is there, and then an error.
    pub(super) fn end(&self) {
        let mut content = lock(&self.content);
        content.over = true;
        self.wake(content);
    }

    /// Waits until `ready` gives a value; `None` at the deadline.
    ///
    /// # Errors
    /// The end has come before.
    pub(super) fn wait<R>(
        &self,
        deadline: Instant,
        mut ready: impl FnMut(&mut T) -> Option<R>,
    ) -> Result<Option<R>> {
        let mut looks = 0..LOOKS;
        let mut content = lock(&self.content);
        loop {
            if let Some(result) = ready(&mut content.value) {
                self.wake(content);
                return Ok(Some(result));
            }
            if content.over {
                return Err(ended());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            if looks.next().is_some() {
                drop(content);
                yield_now();
                content = lock(&self.content);
                continue;
            }
            content.waits = true;
            let woken = self.changed.wait_timeout(content, left);
            content = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Who is woken finds the lock free.
    fn wake(&self, mut content: MutexGuard<'_, Content<T>>) {
        let waits = std::mem::take(&mut content.waits);
        drop(content);
        if waits {
            self.changed.notify_all();
        }
    }
}
