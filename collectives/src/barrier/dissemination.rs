use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Barrier in `ceil(lg n)` rounds: in round `k` a rank tells the one `2^k` further on that it and all
/// it has heard of are there.
///
/// | | |
/// |---|---|
/// | steps | `ceil(lg n)` signals and as many waits on each rank |
/// | bytes on the wire | none but the signals |
/// | memory | none |
/// | group size | any |
///
/// The fewest rounds, so the choice for all but the smallest groups.
///
/// Source: Hensgen, Finkel and Manber, "Two algorithms for barrier synchronization", 1988.
pub struct Dissemination;

impl Collective for Dissemination {
    fn describe(&self) -> Descriptor {
        Descriptor::barrier("dissemination_barrier").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for round in 0..p.ranks().next_power_of_two().ilog2() {
            s.signal(rank + (1 << round));
            s.wait(rank - (1 << round));
        }
    }
}

register_collective!(dissemination_barrier, Dissemination);
