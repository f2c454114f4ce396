use crate::pattern::blocks::{around, place_own};
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-gather in `ceil(lg n)` rounds for any group: round `k` takes as many blocks as the rank has
/// from the rank that is `2^k` further on, or in the last round those that are missing.
///
/// | | |
/// |---|---|
/// | steps | `ceil(lg n)` sends and as many receives on each rank, one more where a run of blocks passes the last block |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes, no scratch |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice for short blocks in groups that are no power of two. Blocks keep their numbers, so that
/// nothing is rotated at the end.
///
/// Source: Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all
/// communications in multiport message-passing systems", 1997.
pub struct Bruck;

impl Collective for Bruck {
    fn describe(&self) -> Descriptor {
        Descriptor::all_gather("bruck_all_gather").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        place_own(p, rank, s);
        let mut have = 1;
        while have < p.ranks() {
            let count = have.min(p.ranks() - have);
            let from = rank + have;
            around(p, rank, count).for_each(|run| s.send(rank - have, run));
            around(p, from, count).for_each(|run| s.recv(from, run));
            have += count;
        }
    }
}

register_collective!(bruck_all_gather, Bruck);
