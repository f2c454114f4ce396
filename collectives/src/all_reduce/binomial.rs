use crate::pattern::core::Core;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-reduce over a binomial tree: reduce to rank 0, then broadcast.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)` messages of all ranks together in `2 ceil(lg n)` rounds |
/// | bytes on the wire | `2(n - 1)` buffers of all ranks together: `2 ceil(lg n)` at rank 0, 2 at a leaf |
/// | merges | `n - 1` buffers of all ranks together |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `xor_tree`: bit-identical with [`RecursiveDoubling`](super::RecursiveDoubling) and [`Rabenseifner`](super::Rabenseifner) |
///
/// The fewest messages, so the choice for short buffers where many ranks share few cores or one
/// link; where each has its own, [`RecursiveDoubling`](super::RecursiveDoubling) takes half the time.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
/// MPICH", 2005.
pub struct Binomial;

impl Collective for Binomial {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("binomial").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let core = Core::of(p);
        core.reduce(rank, p.all(), s);
        core.broadcast(rank, p.all(), s);
    }
}

register_collective!(binomial, Binomial);
