//! Handles of backends, erased.

use ringwood_base::{Error, ErrorKind, Result};
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
    pub(crate) fn new<T: Any + Send + Sync>(backend: &'static str, value: T) -> Self {
        Self { backend, value: Arc::new(value) }
    }

    /// The name of the backend that made it.
    pub fn backend(&self) -> &'static str {
        self.backend
    }

    /// The value behind the handle, for the backend that made it.
    ///
    /// # Errors
    /// [`ErrorKind::Device`]: the handle is of another backend, or of another kind.
    pub fn get<T: Any>(&self, backend: &'static str, what: &'static str) -> Result<&T> {
        // Two backends may use one type.
        let own = (self.backend == backend).then(|| self.value.downcast_ref::<T>());
        own.flatten().ok_or_else(|| {
            let owner = self.backend;
            let message = if owner == backend {
                format!("backend `{backend}` was given another kind of handle as {what}")
            } else {
                format!("backend `{backend}` was given a {what} of backend `{owner}`")
            };
            Error::new(ErrorKind::Device, message).help("transfer the value first")
        })
    }
}
