use crate::pattern::blocks;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Scatter over a binomial tree: every rank takes the blocks of its subtree and passes on all but its
/// own.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` messages of all ranks together in `ceil(lg n)` rounds, one more for each run of blocks that passes the last one |
/// | bytes on the wire | `n - 1` blocks out of the root; an inner rank passes on those of its subtree |
/// | memory | in place: other ranks than the root use the rest of their buffer |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The fewest rounds, so the choice for short blocks among many ranks.
///
/// Source: Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory,
/// practice, and experience", 2007.
pub struct Binomial;

impl Collective for Binomial {
    fn describe(&self) -> Descriptor {
        Descriptor::scatter("binomial_scatter").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        blocks::scatter(p, rank, s);
    }
}

register_collective!(binomial_scatter, Binomial);
