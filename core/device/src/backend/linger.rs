//! Waiting without sleeping, for what comes soon.

use std::time::{Duration, Instant};

/// How long sleeping and being woken may take where processors are virtual. Explored schedules have no time.
const WAKING: Duration = Duration::from_micros(if cfg!(ringwood_shuttle) { 0 } else { 200 });

/// Asks again and again for at most `limit`, and no longer than it takes to be woken: a wait for short
/// work that begins so costs less than the work. Other threads run meanwhile, if there are any.
///
/// ```
/// use ringwood_device::backend::linger;
/// use std::{sync::mpsc, time::Duration};
///
/// let (send, receive) = mpsc::channel();
/// std::thread::spawn(move || send.send(7));
/// let soon = linger(Duration::MAX, || receive.try_recv().ok());
/// assert_eq!(soon.or_else(|| receive.recv().ok()), Some(7));
/// ```
pub fn linger<T>(limit: Duration, mut ready: impl FnMut() -> Option<T>) -> Option<T> {
    if let Some(value) = ready() {
        return Some(value);
    }
    let (start, limit) = (Instant::now(), limit.min(WAKING));
    while start.elapsed() < limit {
        std::thread::yield_now();
        if let Some(value) = ready() {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests;
