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
