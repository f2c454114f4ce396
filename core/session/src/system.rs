//! Errors and threads, in the words of a session.

use ringwood_base::{Error, Result};
use std::borrow::Cow;
use std::thread::{Builder, JoinHandle};

/// The system refuses something, and says why.
pub fn refused<E>(message: impl Into<Cow<'static, str>>) -> impl Fn(E) -> Error
where
    E: std::error::Error + Send + Sync + 'static,
{
    let message = message.into();
    move |cause| Error::unavailable(message.clone()).because(cause)
}

/// Starts a thread; `failed` says what there is none for.
///
/// # Errors
/// The system has no thread.
pub fn spawn<T: Send + 'static>(
    name: &str,
    failed: impl Into<Cow<'static, str>>,
    body: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>> {
    Builder::new().name(name.into()).spawn(body).map_err(refused(failed))
}

/// How long this thread has computed, whatever else the machine does.
#[cfg(test)]
pub(crate) fn computed() -> Option<std::time::Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let spent = text.split(' ').next()?.parse().ok().map(std::time::Duration::from_nanos);
    // A system that counts nothing says 0.
    spent.filter(|spent| !spent.is_zero())
}
