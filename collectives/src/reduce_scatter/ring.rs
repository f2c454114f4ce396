use crate::pattern::segments::tiled;
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// Reduce-scatter around a ring, in `s` segments: the sum of a block travels to the rank whose it is.
///
/// | | |
/// |---|---|
/// | steps | `(n - 1)s` sends and as many receives on each rank |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | merges | `n - 1` blocks for each rank |
/// | memory | in place, no scratch |
/// | group size | any |
/// | blocks | may differ in size |
/// | order | has no name: block `c` is folded from rank `c + 1` on around the ring |
/// | segments | `ceil(block / 256 KiB)`, at most 128 |
///
/// The choice for long blocks where ranks reach their neighbours best. Its latency grows with `n`.
///
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", 2009.
pub struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::reduce_scatter("ring_reduce_scatter").any_ranks()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        tiled(&self.describe(), request, 256 << 10)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for step in 1..p.ranks() {
            for part in 0..p.segments() {
                s.send(rank.next(), p.segment(rank - step, part));
                s.recv_reduce(rank.prev(), p.segment(rank - step - 1, part));
            }
        }
    }
}

register_collective!(ring_reduce_scatter, Ring);
