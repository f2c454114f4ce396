use crate::pattern::core::Core;
use crate::pattern::halving;
use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-reduce by halving, then doubling: partners merge one half of what they share each, and give
/// the results back in the reverse order.
///
/// With `p` the largest power of two that is not above `n`:
///
/// | | |
/// |---|---|
/// | steps | `2 lg p` sends and as many receives on each of `p` ranks; where `n > p`, one more round before and one after, in which the other `n - p` ranks send and receive once |
/// | bytes on the wire | `2(p - 1)/p` of the buffer for each rank: the least possible; one more buffer where `n > p` |
/// | merges | `(p - 1)/p` of the buffer for each rank, one more buffer where `n > p` |
/// | memory | in place, no scratch |
/// | group size | any; best for powers of two |
/// | order | `xor_tree`: bit-identical with [`RecursiveDoubling`](super::RecursiveDoubling) and [`Binomial`](super::Binomial) |
///
/// As few bytes as the ring in `2 lg n` rounds, so the choice for buffers of middle and large size.
/// Partners are near in the first rounds, when most is exchanged. A buffer of fewer than `p`
/// elements leaves chunks empty; those are skipped.
///
/// Source: Rabenseifner, "Optimization of collective reduction operations", 2004, with vector halving
/// and distance doubling.
pub struct Rabenseifner;

impl Collective for Rabenseifner {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("rabenseifner").any_ranks().chunks(Chunks::PowerOfTwo)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let core = Core::of(p);
        core.enter(rank, p.all(), s);
        if core.speaks(rank) {
            let mine = core.member(rank);
            let round = |distance| (core.speaker(mine ^ distance), mine & distance != 0);
            halving::all_reduce(p, rank, core.distances().map(round), s);
        }
        core.leave(rank, p.all(), s);
    }
}

register_collective!(rabenseifner, Rabenseifner);
