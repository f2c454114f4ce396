use crate::pattern::core::Core;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Broadcast over a binomial tree that is rooted at the root.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` messages of all ranks together in `ceil(lg n)` rounds, at most that many sends on one rank |
/// | bytes on the wire | one buffer to each rank but the root |
/// | memory | in place, no scratch |
/// | group size | any |
///
/// The fewest rounds, so the choice for short buffers among many ranks.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
/// MPICH", 2005.
pub struct Binomial;

impl Collective for Binomial {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("binomial_broadcast").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        Core::of(p).broadcast(rank, p.all(), s);
    }
}

register_collective!(binomial_broadcast, Binomial);
