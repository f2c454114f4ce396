//! What threads meet through: the standard library's, or under `--cfg ringwood_shuttle` what explores
//! their schedules (`core/tests/schedules.rs`).

mod lock;

use crate::{Error, Result};
pub use lock::lock;

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

/// The variable that [`threads`] reads.
const THREADS: &str = "RINGWOOD_THREADS";
/// The numbers of threads that a process may be given.
const POSSIBLE: std::ops::RangeInclusive<usize> = 1..=4096;

/// What [`set_threads`] was given.
static GIVEN: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
/// What [`default_threads`] was given.
static DEFAULT: std::sync::OnceLock<usize> = std::sync::OnceLock::new();

/// Gives the number of [`threads`] of this process, before their first use. A second number is refused.
///
/// # Errors
/// It is none from 1 to 4096; another number was given before.
pub fn set_threads(threads: usize) -> Result<()> {
    if !POSSIBLE.contains(&threads) {
        let message = format!("a process cannot have {threads} threads");
        return Err(Error::invalid(message).help("give a number from 1 to 4096"));
    }
    match *GIVEN.get_or_init(|| threads) {
        given if given == threads => Ok(()),
        given => Err(Error::invalid(format!(
            "this process has {given} threads, and does not change to {threads}"
        ))),
    }
}

/// Gives the number of [`threads`] where nobody gives one: this process shares the [`cores`] with others. The first such
/// number stays.
pub fn default_threads(threads: usize) {
    DEFAULT.get_or_init(|| threads.max(1));
}

/// The threads that data-parallel work of this process may use: as [`set_threads`] says, or
/// `RINGWOOD_THREADS`, or its [part](default_threads) of the cores, or one for each of the [`cores`].
///
/// # Errors
/// `RINGWOOD_THREADS` is no number from 1 to 4096.
pub fn threads() -> Result<usize> {
    let default = || DEFAULT.get().copied().unwrap_or_else(cores);
    Ok(given_threads()?.unwrap_or_else(default))
}

/// The [`threads`] that [`set_threads`] or `RINGWOOD_THREADS` gives, if one does.
///
/// # Errors
/// As [`threads`].
pub fn given_threads() -> Result<Option<usize>> {
    if let Some(&threads) = GIVEN.get() {
        return Ok(Some(threads));
    }
    let Some(given) = std::env::var_os(THREADS) else { return Ok(None) };
    let number = given.to_str().and_then(|text| text.parse().ok());
    number.filter(|threads| POSSIBLE.contains(threads)).map(Some).ok_or_else(|| {
        let message = format!("{THREADS} is `{}`, not a number of threads", given.display());
        Error::invalid(message).help("give one from 1 to 4096, or leave it out")
    })
}

/// The processors that this process may use, by its affinity and its control group; at least 1.
#[allow(unused_qualifications, reason = "another `thread` explores schedules")]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_given_from_1_to_4096_threads() {
        for threads in [0, 4097, usize::MAX] {
            let error = set_threads(threads).unwrap_err();
            assert_eq!(error.message(), format!("a process cannot have {threads} threads"));
        }
        assert_eq!(GIVEN.get(), None, "what is refused is not kept");
    }
}
