use crate::pattern::blocks::place_own;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Gather in one round: the root takes each block from the rank whose it is.
///
/// | | |
/// |---|---|
/// | steps | one send on each rank but the root, `n - 1` receives there |
/// | bytes on the wire | `n - 1` blocks into the root |
/// | memory | both modes, no scratch |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice on one machine, and for long blocks anywhere: each moves once.
///
/// Source: textbook; the linear gather of MPI libraries.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::gather("direct_gather").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank != p.root() {
            return s.send(p.root(), p.input(rank));
        }
        place_own(p, rank, s);
        for peer in (1..p.ranks()).map(|distance| rank + distance) {
            s.recv(peer, p.chunk(peer));
        }
    }
}

register_collective!(direct_gather, Direct);
