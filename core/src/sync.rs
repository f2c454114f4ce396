//! What threads meet through: the standard library's, or under `--cfg ringwood_shuttle` what explores
//! their schedules (`core/tests/schedules.rs`).

#[cfg(not(ringwood_shuttle))]
pub(crate) use std::{
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};

#[cfg(ringwood_shuttle)]
pub(crate) use shuttle::{
    sync::{Condvar, Mutex, MutexGuard},
    thread,
};
