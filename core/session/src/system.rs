//! Errors and locks, in the words of a session.

use ringwood_base::{Error, ErrorKind};
use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

macro_rules! errors {
    ($($name:ident: $kind:ident;)*) => {$(
        /// An error of this kind.
        pub fn $name(message: impl Into<Cow<'static, str>>) -> Error {
            Error::new(ErrorKind::$kind, message)
        }
    )*};
}

errors! {
    invalid: InvalidArgument;
    protocol: Protocol;
    timeout: Timeout;
    unavailable: Unavailable;
}

/// The system refuses something, and says why.
pub fn refused<E>(message: impl Into<Cow<'static, str>>) -> impl Fn(E) -> Error
where
    E: std::error::Error + Send + Sync + 'static,
{
    let message = message.into();
    move |cause| unavailable(message.clone()).because(cause)
}

/// Locks; no user code runs under the locks of a session, so that what they guard is whole even after a panic.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
