//! The threads that all streams share for data-parallel loops.

use ringwood_base::Result;
use ringwood_base::sync::threads;
use ringwood_device::pool::Pool;
use std::sync::OnceLock;

/// The pool, of as many threads as [`threads`] says; none if that is one. Its first use starts it, from a
/// stream: so its threads inherit the stream's floating-point mode.
///
/// # Errors
/// `RINGWOOD_THREADS` is no number of threads, or the system starts none.
pub(crate) fn pool() -> Result<Option<&'static Pool>> {
    static POOL: OnceLock<Result<Option<Pool>>> = OnceLock::new();
    let start = || match threads()? {
        1 => Ok(None),
        threads => Pool::new("cpu:0 pool", threads).map(Some),
    };
    POOL.get_or_init(start).as_ref().map(Option::as_ref).map_err(Clone::clone)
}
