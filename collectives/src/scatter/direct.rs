use crate::pattern::blocks::place_own;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Scatter in one round: every rank takes its block from the root.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends at the root, one receive on each other rank |
/// | bytes on the wire | `n - 1` blocks out of the root |
/// | memory | both modes, no scratch |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice on one machine, and for long blocks anywhere: each moves once.
///
/// Source: textbook; the linear scatter of MPI libraries.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::scatter("direct_scatter").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank != p.root() {
            return s.recv(p.root(), p.chunk(rank));
        }
        for peer in (1..p.ranks()).map(|distance| rank + distance) {
            s.send(peer, p.input(peer));
        }
        place_own(p, rank, s);
    }
}

register_collective!(direct_scatter, Direct);
