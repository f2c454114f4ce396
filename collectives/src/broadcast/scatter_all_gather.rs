use crate::pattern::blocks::{ring_all_gather, scatter};
use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Broadcast in two parts: a binomial tree scatters the buffer, then a ring gathers it everywhere.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends and as many receives on each rank for the ring; `n - 1` messages of all ranks together for the tree, one more for each run of chunks that passes the last one |
/// | rounds | `ceil(lg n) + n - 1` |
/// | bytes on the wire | about 2 buffers to each rank |
/// | memory | in place, no scratch |
/// | group size | any |
///
/// The choice for long buffers in groups of some dozens: bytes do not grow with `n`, and there is no
/// long pipeline to fill.
///
/// Source: van de Geijn's algorithm; Thakur, Rabenseifner and Gropp, "Optimization of collective
/// communication operations in MPICH", 2005.
pub struct ScatterAllGather;

impl Collective for ScatterAllGather {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("scatter_all_gather_broadcast").any_ranks().chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        scatter(p, rank, s);
        ring_all_gather(p, rank, s);
    }
}

register_collective!(scatter_all_gather_broadcast, ScatterAllGather);
