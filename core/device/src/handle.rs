//! Handles of backends, erased.

use ringwood_base::{Error, Result};
use std::any::Any;
use std::sync::Arc;

/// A stream, memory, event or code of some backend, with its type erased.
///
/// Given to another backend it is a typed error, never undefined behaviour.
#[derive(Clone)]
pub struct Handle {
    backend: &'static str,
    value: Arc<dyn Any + Send + Sync>,
}

impl Handle {
    /// `T` is a type of this backend alone.
    pub(crate) fn new<T: Any + Send + Sync>(backend: &'static str, value: T) -> Self {
        Self { backend, value: Arc::new(value) }
    }

    /// The value behind the handle, for the backend that made it.
    ///
    /// # Errors
    /// [`ErrorKind::Device`]: the handle is of another backend, or of another kind.
    #[inline]
    pub(crate) fn get<T: Any>(&self, backend: &'static str, what: &'static str) -> Result<&T> {
        self.value.downcast_ref().ok_or_else(|| self.refusal(backend, what))
    }

    #[cold]
    fn refusal(&self, backend: &str, what: &str) -> Error {
        let owner = self.backend;
        let message = if owner == backend {
            format!("backend `{backend}` was given another kind of handle as {what}")
        } else {
            format!("backend `{backend}` was given a {what} of backend `{owner}`")
        };
        Error::device(message).help("transfer the value first")
    }
}
