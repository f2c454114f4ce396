use crate::pattern::fold::{Take, fold};
use crate::pattern::segments::tiled;
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// Reduce in one round: the root merges the buffers of all in the order of the ranks, in `s`
/// segments.
///
/// | | |
/// |---|---|
/// | steps | `s` sends on each rank but the root, `(n - 1)s` receives there |
/// | bytes on the wire | one buffer from each rank but the root |
/// | merges | `n - 1` buffers, all at the root |
/// | memory | in place: a buffer of scratch at the root, if that is rank 2 or later; out of place: none |
/// | group size | any |
/// | order | `linear` whatever the root |
/// | segments | `ceil(buffer / 256 KiB)`, at most 128, so that partial results stay in the cache |
///
/// The choice on one machine, where the root reads the others' buffers in place, for small groups and
/// short buffers; all work is the root's.
///
/// Source: textbook.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::reduce("direct_reduce").any_ranks().both_modes()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        tiled(&self.describe(), request, 256 << 10)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for part in 0..p.segments() {
            let target = p.segment(0_usize, part);
            let own = p.of_input(target);
            if rank == p.root() {
                fold(Take::Messages, (0..p.ranks()).map(|r| p.rank(r)), rank, own, target, s);
            } else {
                s.send(p.root(), own);
            }
        }
    }
}

register_collective!(direct_reduce, Direct);
