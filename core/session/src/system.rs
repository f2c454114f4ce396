//! Errors and locks, in the words of a session.

use ringwood_base::{Error, ErrorKind};
use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Something that was asked for is outside of what can be done.
pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
}

/// The system refuses something, and says why.
pub(crate) fn refused<E>(message: impl Into<Cow<'static, str>>) -> impl Fn(E) -> Error
where
    E: std::error::Error + Send + Sync + 'static,
{
    let message = message.into();
    move |cause| Error::new(ErrorKind::Unavailable, message.clone()).because(cause)
}

/// Locks; no user code runs under the locks of a session, so that what they guard is whole even after a panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
