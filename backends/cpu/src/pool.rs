//! The threads that all streams share for data-parallel loops.

use crate::float::Ieee;
use rayon::{ThreadPool, ThreadPoolBuilder};
use ringwood_core::{Error, ErrorKind, Result};
use std::cell::RefCell;
use std::sync::OnceLock;

/// The pool, started at its first use, one thread for each core.
///
/// # Errors
/// The system starts no threads.
pub(crate) fn pool() -> Result<&'static ThreadPool> {
    static POOL: OnceLock<Result<ThreadPool>> = OnceLock::new();
    POOL.get_or_init(start).as_ref().map_err(Clone::clone)
}

fn start() -> Result<ThreadPool> {
    thread_local!(static MODE: RefCell<Option<Ieee>> = const { RefCell::new(None) });
    ThreadPoolBuilder::new()
        .thread_name(|i| format!("cpu:0 pool {i}"))
        .start_handler(|_| MODE.set(Some(Ieee::enter())))
        .build()
        .map_err(|e| Error::new(ErrorKind::Backend, "cpu: cannot start the thread pool").because(e))
}
