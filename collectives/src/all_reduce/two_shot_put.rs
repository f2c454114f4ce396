use crate::pattern::fold::{Take, fold};
use crate::pattern::segments::tiled;
use ringwood_base::Result;
use ringwood_schedule::{
    Chunks, Collective, Descriptor, Lane, Params, Rank, Request, register_collective,
};

/// All-reduce in two rounds, as [`TwoShot`](super::TwoShot), in which results are put: rank `r` merges
/// chunk `r` of all buffers in the order of the ranks and writes the result to all of them, segment by
/// segment.
///
/// | | |
/// |---|---|
/// | steps | `(n - 1)s` gets and as many puts on each rank, then `n - 1` signals and waits |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | in place: one chunk of scratch on the ranks from 2 on; out of place: none |
/// | memory traffic | each rank reads and writes chunk `r` of all buffers, and nothing else |
/// | group size | any |
/// | order | `linear`: bit-identical with [`TwoShot`](super::TwoShot) |
/// | segments | `ceil(chunk / 32 KiB)`, at most 128: a segment is in the cache of its rank from its merge to its last put |
///
/// The choice over memory that peers can write: what a core has just merged lies in its own cache, from
/// which another core takes it slowly, and the place where it belongs is there as well, since it was
/// read for the merge.
///
/// Source: the two-shot all-reduce that writes to peers of MSCCL++ (Shah et al., "MSCCL++: rethinking GPU
/// communication abstractions for AI inference", 2025), with the merge in the order of the ranks.
pub struct TwoShotPut;

impl Collective for TwoShotPut {
    fn describe(&self) -> Descriptor {
        let base = Descriptor::all_reduce("two_shot_put").any_ranks().chunks(Chunks::PerRank);
        base.both_modes().needs_peer_load().needs_put()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        tiled(&self.describe(), request, 32 << 10)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let n = p.ranks();
        let peers = || (1..n).map(|distance| rank + distance);
        for part in 0..p.segments() {
            let own = p.segment(rank, part);
            fold(Take::Memory, (0..n).map(|r| p.rank(r)), rank, p.of_input(own), own, s);
            peers().for_each(|peer| s.put(peer, own, own));
        }
        peers().for_each(|peer| s.signal(peer));
        peers().for_each(|peer| s.wait(peer));
    }
}

register_collective!(two_shot_put, TwoShotPut);
