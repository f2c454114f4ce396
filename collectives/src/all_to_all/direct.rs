use crate::pattern::blocks::place_own;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-to-all in one round: every rank offers all its blocks, then takes one from each other.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends and as many receives on each rank, in one round |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes; in place over peer memory a copy of what is sent |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice on one machine: ranks wait for each other once.
///
/// Source: textbook; the linear all-to-all of MPI libraries.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::all_to_all("direct_all_to_all").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for peer in (1..p.ranks()).map(|distance| rank + distance) {
            s.send(peer, p.input(peer));
        }
        place_own(p, rank, s);
        for peer in (1..p.ranks()).map(|distance| rank - distance) {
            s.recv(peer, p.chunk(peer));
        }
    }
}

register_collective!(direct_all_to_all, Direct);
