use crate::pattern::blocks::{place_own, ring_all_gather};
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-gather around a ring: every rank passes on what it got last.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends and as many receives on each rank |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes, no scratch |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice for long blocks where ranks reach their neighbours best. Its latency grows with `n`.
///
/// Source: textbook; `RingGatherer` of TensorFlow.
pub struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_gather("ring_all_gather").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        place_own(p, rank, s);
        ring_all_gather(p, rank, s);
    }
}

register_collective!(ring_all_gather, Ring);
