//! The threads that all streams share for data-parallel loops.

use rayon::{ThreadPool, ThreadPoolBuilder};
use ringwood_base::sync::threads;
use ringwood_base::{Error, ErrorKind, Result};
use std::sync::OnceLock;

/// The pool, of as many threads as [`threads`] says. Its first use starts it, from a stream: so its threads
/// inherit the stream's floating-point mode.
///
/// # Errors
/// `RINGWOOD_THREADS` is no number of threads, or the system starts none.
pub(crate) fn pool() -> Result<&'static ThreadPool> {
    static POOL: OnceLock<Result<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(start).as_ref().map_err(Clone::clone)
}

fn start() -> Result<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads()?)
        .thread_name(|i| format!("cpu:0 pool {i}"))
        .build()
        .map_err(|e| Error::new(ErrorKind::Backend, "cpu: cannot start the thread pool").because(e))
}
