//! What threads meet through: the standard library's, or under `--cfg ringwood_shuttle` what explores
//! their schedules (`core/tests/schedules.rs`).

#[cfg(not(ringwood_shuttle))]
pub use std::{
    hint::spin_loop,
    sync::{Condvar, Mutex, MutexGuard, atomic},
    thread, thread_local,
};

#[cfg(ringwood_shuttle)]
pub use shuttle::{
    hint::spin_loop,
    sync::{Condvar, Mutex, MutexGuard, atomic},
    thread, thread_local,
};

/// The processors that this process may use, by its affinity and its control group; at least 1.
#[allow(unused_qualifications, reason = "another `thread` explores schedules")]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
