use crate::pattern::blocks::place_own;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-gather in one round: every rank takes each block from the rank whose it is.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends and as many receives on each rank, in one round |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes, no scratch |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice on one machine: all read the blocks in place, with no relay. Across machines every rank
/// talks to all others at once.
///
/// Source: textbook; `allgather_linear` of Open MPI.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::all_gather("direct_all_gather").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for distance in 1..p.ranks() {
            s.send(rank + distance, p.input(rank));
        }
        place_own(p, rank, s);
        for peer in (1..p.ranks()).map(|distance| rank + distance) {
            s.recv(peer, p.chunk(peer));
        }
    }
}

register_collective!(direct_all_gather, Direct);
