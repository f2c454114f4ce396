//! All-reduce by halving and doubling.

use super::fold::merge_from;
use ringwood_schedule::{Lane, Params, Rank};

/// Halves what is shared with a partner in each round, merging the half that is kept, until one chunk
/// is left; then gives the halves back in the reverse order. `rounds` are the partners, each with
/// whether the upper half is kept; there are two to the power of their number chunks.
pub(crate) fn all_reduce(
    p: &Params,
    rank: Rank,
    rounds: impl Iterator<Item = (Rank, bool)>,
    s: &mut Lane,
) {
    let (mut first, mut count) = (0, p.chunks() / p.segments());
    let mut halved = Vec::new();
    for (partner, upper) in rounds {
        count /= 2;
        let (kept, given) = if upper { (first + count, first) } else { (first, first + count) };
        s.send(partner, p.span(given, count));
        merge_from(partner, rank, p.span(kept, count), s);
        halved.push((partner, p.span(kept, count), p.span(given, count)));
        first = kept;
    }
    for (partner, kept, given) in halved.into_iter().rev() {
        s.send(partner, kept);
        s.recv(partner, given);
    }
}
