//! Drivers whose calls must not overlap.

use ringwood_base::sync::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The platforms that break the promise of OpenCL that calls may be made from several threads.
const ONE_AT_A_TIME: [&str; 1] = ["Oclgrind"];

static TURNS: AtomicBool = AtomicBool::new(false);
static TURN: Mutex<()> = Mutex::new(());

/// From now on calls take turns, if a platform needs it.
pub(crate) fn needed_by(platform: &str) {
    if ONE_AT_A_TIME.contains(&platform) {
        TURNS.store(true, Ordering::Release);
    }
}

/// Makes one call of the driver.
pub(super) fn call<T>(call: impl FnOnce() -> T) -> T {
    let taken = TURNS.load(Ordering::Acquire);
    let _turn = taken.then(|| lock(&TURN));
    call()
}
