use crate::pattern::core::Core;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Reduce over a binomial tree that is rooted at the root.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` messages of all ranks together in `ceil(lg n)` rounds |
/// | bytes on the wire | one buffer from each rank but the root |
/// | merges | `n - 1` buffers of all ranks together, at most `ceil(lg n)` on one |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `xor_tree` whatever the root: bit-identical with [`all_reduce::Rabenseifner`](crate::all_reduce::Rabenseifner) |
///
/// The fewest rounds, so the choice for short buffers.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
/// MPICH", 2005; ranks are numbered from the root by exclusive or, which keeps the order.
pub struct Binomial;

impl Collective for Binomial {
    fn describe(&self) -> Descriptor {
        Descriptor::reduce("binomial_reduce").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        Core::of(p).reduce(rank, p.all(), s);
    }
}

register_collective!(binomial_reduce, Binomial);
