//! Ring all-reduce.

use ringwood_core::collective::{Chunks, Collective, Descriptor, Lane, Params, Rank};
use ringwood_core::register_collective;

/// All-reduce around a ring: reduce-scatter, then all-gather.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)` sends and receives on each rank |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `ring`: chunk `c` is folded from rank `c` on, so bits depend on the position of an element, not on the rank or the run |
///
/// Its latency grows with `n`: for short buffers in large groups a tree is faster. Counts below `n`
/// leave chunks empty; those are skipped.
///
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", 2009. Equivalent to `RingReducer` of TensorFlow.
pub struct RingReducer;

impl Collective for RingReducer {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring").any_ranks().chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step));
            s.recv_reduce(prev, p.chunk(rank - step - 1));
        }
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step + 1));
            s.recv(prev, p.chunk(rank - step));
        }
    }
}

register_collective!(ring, RingReducer);
