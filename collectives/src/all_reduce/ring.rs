//! Ring all-reduce.

use crate::pattern::segments::tiled;
use ringwood_core::Result;
use ringwood_core::collective::{Chunks, Collective, Descriptor, Lane, Params, Rank, Request};
use ringwood_core::register_collective;

/// All-reduce around a ring: reduce-scatter, then all-gather, in `s` segments.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)s` sends and as many receives on each rank |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `ring`: chunk `c` is folded from rank `c` on, so bits depend on the position of an element, not on the rank or the run |
/// | segments | `ceil(chunk / 256 KiB)`, at most 128: a rank passes on the first while the next is coming |
///
/// The choice for long buffers where a rank talks best to its neighbours. Its latency grows with
/// `n`: for short buffers in large groups a tree is faster. Counts below `n` leave chunks empty;
/// those are skipped.
///
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", 2009. Equivalent to `RingReducer` of TensorFlow.
pub struct RingReducer;

impl Collective for RingReducer {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring").any_ranks().chunks(Chunks::PerRank)
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        tiled(&self.describe(), request, 256 << 10)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        let turns = || (0..n - 1).flat_map(|step| (0..p.segments()).map(move |part| (step, part)));
        for (step, part) in turns() {
            s.send(next, p.segment(rank - step, part));
            s.recv_reduce(prev, p.segment(rank - step - 1, part));
        }
        for (step, part) in turns() {
            s.send(next, p.segment(rank - step + 1, part));
            s.recv(prev, p.segment(rank - step, part));
        }
    }
}

register_collective!(ring, RingReducer);
