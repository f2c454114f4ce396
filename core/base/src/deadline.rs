//! The end of a wait.

use std::time::{Duration, Instant};

/// Longer than anyone waits, and its end is still a time that the clock can tell.
pub const LONGEST: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The time after `timeout`, or after [`LONGEST`] for one that is longer, such as `Duration::MAX`.
pub fn deadline(timeout: Duration) -> Instant {
    Instant::now() + timeout.min(LONGEST)
}

/// The time until `end`; none after it.
pub fn left(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_of_any_length_has_an_end() {
        let start = Instant::now();
        assert!(deadline(Duration::from_secs(1)) >= start + Duration::from_secs(1));
        assert!(deadline(Duration::MAX) >= start + LONGEST);
    }
}
