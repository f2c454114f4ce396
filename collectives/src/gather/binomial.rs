use crate::pattern::blocks::{Edge, around, edges};
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, register_collective};

/// Gather over a binomial tree: every rank collects the blocks of its subtree and passes them on.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` messages of all ranks together in `ceil(lg n)` rounds, one more for each run of blocks that passes the last one |
/// | bytes on the wire | `n - 1` blocks into the root; an inner rank passes on those of its subtree |
/// | memory | in place: other ranks than the root use the rest of their buffer |
/// | group size | any |
/// | blocks | may differ in size |
///
/// The fewest rounds, so the choice for short blocks among many ranks.
///
/// Source: Chan, Heimlich, Purkayastha and van de Geijn, "Collective communication: theory,
/// practice, and experience", 2007.
pub struct Binomial;

impl Collective for Binomial {
    fn describe(&self) -> Descriptor {
        Descriptor::gather("binomial_gather").any_ranks()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for edge in edges(p, rank) {
            match edge {
                Edge::Up(parent, n) => around(p, rank, n).for_each(|run| s.send(parent, run)),
                Edge::Down(child, n) => around(p, child, n).for_each(|run| s.recv(child, run)),
            }
        }
    }
}

register_collective!(binomial_gather, Binomial);
