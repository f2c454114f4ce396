use crate::pattern::core::Core;
use crate::pattern::fold::merge_from;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-reduce by exchanges of whole buffers: between neighbours, then at distance 2, 4 and so on.
///
/// With `p` the largest power of two that is not above `n`:
///
/// | | |
/// |---|---|
/// | steps | `lg p` sends and as many receives on each of `p` ranks; where `n > p`, one more round before and one after, in which the other `n - p` ranks send and receive once |
/// | bytes on the wire | `lg p` buffers for each rank, one more where `n > p` |
/// | merges | `lg p` buffers for each rank, one more where `n > p` |
/// | memory | in place; over peer memory a copy of the buffer for each exchange |
/// | group size | any |
/// | order | `xor_tree`: bit-identical with [`Rabenseifner`](super::Rabenseifner) and [`Binomial`](super::Binomial) |
///
/// The fewest rounds, so the choice for buffers of up to some KiB; beyond, bytes count and
/// [`Rabenseifner`](super::Rabenseifner) takes over without a change of bits.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
/// MPICH", 2005.
pub struct RecursiveDoubling;

impl Collective for RecursiveDoubling {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("recursive_doubling").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let core = Core::of(p);
        core.enter(rank, p.all(), s);
        for distance in core.distances().filter(|_| core.speaks(rank)) {
            let partner = core.speaker(core.member(rank) ^ distance);
            s.send(partner, p.all());
            merge_from(partner, rank, p.all(), s);
        }
        core.leave(rank, p.all(), s);
    }
}

register_collective!(recursive_doubling, RecursiveDoubling);
