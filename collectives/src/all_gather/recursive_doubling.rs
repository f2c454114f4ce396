use crate::pattern::blocks::place_own;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-gather by exchanges of all that partners have: one block with the neighbour, two at distance 2
/// and so on.
///
/// | | |
/// |---|---|
/// | steps | `lg n` sends and as many receives on each rank |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes, no scratch |
/// | group size | powers of two; [`Bruck`](super::Bruck) does any |
/// | blocks | may differ in size |
///
/// The fewest rounds, so the choice for short blocks.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
/// MPICH", 2005.
pub struct RecursiveDoubling;

impl Collective for RecursiveDoubling {
    fn describe(&self) -> Descriptor {
        let descriptor = Descriptor::all_gather("recursive_doubling_all_gather");
        descriptor.power_of_two_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        place_own(p, rank, s);
        for bit in 0..p.ranks().ilog2() {
            let count = 1 << bit;
            let partner = p.rank(rank.index() ^ count);
            let first = |of: Rank| of.index() / count * count;
            s.send(partner, p.span(first(rank), count));
            s.recv(partner, p.span(first(partner), count));
        }
    }
}

register_collective!(recursive_doubling_all_gather, RecursiveDoubling);
