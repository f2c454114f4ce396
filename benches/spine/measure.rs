//! Timing: medians of rounds, and a table of ratios.

use std::time::{Duration, Instant};

/// Rounds per measurement; the median of them is reported.
const ROUNDS: usize = 9;
/// A round repeats the call until it takes at least this long.
const ROUND: Duration = Duration::from_millis(20);

/// The median time of one call.
pub(crate) fn median(mut call: impl FnMut()) -> Duration {
    call();
    let repeats = repeats(&mut call);
    let mut rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            (0..repeats).for_each(|_| call());
            start.elapsed() / repeats
        })
        .collect();
    rounds.sort_unstable();
    rounds[ROUNDS / 2]
}

/// How often a round repeats the call.
fn repeats(call: &mut impl FnMut()) -> u32 {
    let start = Instant::now();
    call();
    let once = start.elapsed().max(Duration::from_nanos(20));
    (ROUND.as_nanos() / once.as_nanos()).clamp(1, 1_000_000) as u32
}

/// One line: what was measured, its time, the time of what it is compared with, and their ratio.
pub(crate) fn line(what: &str, ours: Duration, against: &str, theirs: Duration) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!("{what:<44} {:>12}   {against:<28} {:>12}   {ratio:>7.2}", time(ours), time(theirs));
}

fn time(duration: Duration) -> String {
    let ns = duration.as_nanos() as f64;
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}
