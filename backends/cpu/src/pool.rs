//! The threads that all streams share for data-parallel loops.

use ringwood_base::Result;
use ringwood_base::sync::threads;
use ringwood_device::pool::Pool;
use std::sync::OnceLock;

/// The pool, of as many threads as [`threads`] says. Its first use starts it, from a stream: so its threads
/// inherit the stream's floating-point mode.
///
/// # Errors
/// `RINGWOOD_THREADS` is no number of threads, or the system starts none.
pub(crate) fn pool() -> Result<&'static Pool> {
    static POOL: OnceLock<Result<Pool>> = OnceLock::new();
    POOL.get_or_init(|| Pool::new("cpu:0 pool", threads()?)).as_ref().map_err(Clone::clone)
}
