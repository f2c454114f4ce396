use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Barrier with a coordinator: all tell rank 0 that they are there, then rank 0 tells all.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)` signals of all ranks together in two rounds; `n - 1` signals and waits at rank 0 |
/// | bytes on the wire | none but the signals |
/// | memory | none |
/// | group size | any |
///
/// The fewest signals, so the choice where ranks share few cores.
///
/// Source: textbook.
pub struct Central;

impl Collective for Central {
    fn describe(&self) -> Descriptor {
        Descriptor::barrier("central_barrier").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let center = p.rank(0);
        if rank != center {
            s.signal(center);
            return s.wait(center);
        }
        (1..p.ranks()).for_each(|r| s.wait(p.rank(r)));
        (1..p.ranks()).for_each(|r| s.signal(p.rank(r)));
    }
}

register_collective!(central_barrier, Central);
