use crate::pattern::blocks::place_own;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-to-all by exchanges with one partner at a time: round `k` pairs rank `r` with `k - r`, modulo
/// `n`.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends and as many receives on each rank, in `n` rounds |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes; in place over peer memory a copy of what is sent |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The choice for long blocks across links: no rank is the target of two others at a time.
///
/// Source: textbook (a round-robin tournament); pairwise exchange of MPI libraries.
pub struct Pairwise;

impl Collective for Pairwise {
    fn describe(&self) -> Descriptor {
        Descriptor::all_to_all("pairwise_all_to_all").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        place_own(p, rank, s);
        let partners = (0..p.ranks()).map(|round| p.rank(round) - rank.index());
        for partner in partners.filter(|&partner| partner != rank) {
            s.send(partner, p.input(partner));
            s.recv(partner, p.chunk(partner));
        }
    }
}

register_collective!(pairwise_all_to_all, Pairwise);
