//! Schedules whose lanes are rotations of each other.

use super::lanes::{Lanes, Op};
use crate::verify::mix;
use ringwood_base::Result;

/// Groups up to this size are checked rank by rank, larger ones by a sample.
const EXHAUSTIVE: usize = 256;
const SAMPLE: usize = 16;

/// Whether every rank does what rank 0 does, with peers at the same distance: rings, Bruck and
/// pairwise exchanges. `lanes` are [even](Lanes::evenly).
pub(super) fn rotates(lanes: &Lanes<'_>) -> Result<bool> {
    let n = lanes.ranks();
    if lanes.uneven() {
        return Ok(false);
    }
    let first = lanes.all(0)?;
    let sampled: Vec<usize> = if n <= EXHAUSTIVE {
        (1..n).collect()
    } else {
        let spread = (0..SAMPLE).map(|i| 1 + mix(i as u64) as usize % (n - 1));
        [1, 2, n / 2, n - 1].into_iter().chain(spread).collect()
    };
    for rank in sampled {
        let same = |(a, b): (&Op, &Op)| {
            let distance = (b.peer as usize + n - rank) % n;
            (a.action, a.channel, a.bytes) == (b.action, b.channel, b.bytes)
                && a.peer as usize == distance
        };
        let other = lanes.all(rank)?;
        if other.len() != first.len() || !first.iter().zip(&other).all(same) {
            return Ok(false);
        }
    }
    Ok(true)
}
