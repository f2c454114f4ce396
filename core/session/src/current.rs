//! Which session the current thread works for.

use std::cell::Cell;

thread_local! {
    static SESSION: Cell<u64> = const { Cell::new(0) };
}

/// Makes the current thread a worker of a session.
pub(super) fn enter(session: u64) {
    SESSION.set(session);
}

/// Whether the current thread is a worker of this session.
pub(super) fn is_worker_of(session: u64) -> bool {
    SESSION.get() == session
}
