//! Handles of registers.

use super::core::Handle;
use super::{FromValue, Value};
use ringwood_base::{Error, Result};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A handle of a register: one value on every worker, freed on all of them when the last clone of
/// the handle is dropped.
///
/// `T` is what the register holds; an untyped result is a `DRef` of [`Value`]. Dropping a handle
/// never blocks, and after the session has ended it does nothing.
///
/// A task awaits it as a thread waits, without blocking:
///
/// ```
/// # use ringwood_base::Result;
/// # use ringwood_session::{Session, Worker, global_fn};
/// #[global_fn]
/// fn rank(w: &Worker) -> usize {
///     w.rank()
/// }
///
/// async fn ranks(session: &Session) -> Result<Vec<usize>> {
///     let ranks = rank::call(session)?;
///     (&ranks).await?; // what `wait` gives
///     ranks.gather()
/// }
/// ```
///
/// Equivalent to `DRef` of TVM Disco.
pub struct DRef<T = Value> {
    pub(super) handle: Arc<Handle>,
    content: PhantomData<fn() -> T>,
}

impl<T> DRef<T> {
    pub(super) fn new(handle: Handle) -> Self {
        Self { handle: Arc::new(handle), content: PhantomData }
    }

    /// The number of the register, the same on every worker; never 0.
    pub fn register(&self) -> u32 {
        self.handle.register.0
    }

    /// The same register, read as `U`; whether it holds one shows when it is read.
    pub fn typed<U>(&self) -> DRef<U> {
        DRef { handle: self.handle.clone(), content: PhantomData }
    }

    /// Waits until the register is computed on every worker.
    ///
    /// # Errors
    /// The failure of the call that computes it, on any worker; the session's timeout; a stale
    /// handle.
    pub fn wait(&self) -> Result<()> {
        self.handle.core.wait_for(&self.handle)
    }

    /// Whether [`DRef::wait`] would return at once, with success or failure, as far as is known. The first call asks the
    /// workers; a later one looks whether they have answered.
    pub fn is_ready(&self) -> bool {
        self.handle.core.is_computed(&self.handle)
    }
}

impl<T: FromValue> DRef<T> {
    /// The value on one worker. Waits until it is computed there; what other workers do is not
    /// looked at.
    ///
    /// # Errors
    /// No such worker; the failure of the call that computes it; a worker that does not have the value; a value of
    /// another type; the session's timeout; a stale handle.
    pub fn get(&self, worker: usize) -> Result<T> {
        let core = &self.handle.core;
        core.check_worker(worker)?;
        let values = core.fetch(&self.handle, worker..worker + 1)?;
        self.read(worker, values.into_iter().next().unwrap_or_default())
    }

    /// The values of all workers, in the order of their ranks.
    ///
    /// # Errors
    /// As [`DRef::get`], for any worker.
    pub fn gather(&self) -> Result<Vec<T>> {
        let core = &self.handle.core;
        let values = core.fetch(&self.handle, 0..core.size())?.into_iter().enumerate();
        values.map(|(worker, value)| self.read(worker, value)).collect()
    }

    fn read(&self, worker: usize, value: Value) -> Result<T> {
        let absent = matches!(value, Value::None);
        T::from_value(value).map_err(|error| match absent {
            true => self.absent(worker, &error),
            false => error,
        })
    }

    fn absent(&self, worker: usize, error: &Error) -> Error {
        let size = self.handle.core.size();
        let text = format!("worker {worker} of {size} does not have what is asked for: {error}");
        Error::new(error.kind(), text).help(
            "an output of a model is on the workers that the model was made for, a tensor of `copy_to_worker` on one",
        )
    }
}

impl<T> Clone for DRef<T> {
    fn clone(&self) -> Self {
        self.typed()
    }
}

impl<T> fmt::Debug for DRef<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DRef {} of session {}", self.handle.register.0, self.handle.core.id())
    }
}
