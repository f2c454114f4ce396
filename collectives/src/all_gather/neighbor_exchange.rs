use crate::pattern::blocks::place_own;
use ringwood_schedule::{
    ChunkRange, Collective, Descriptor, Lane, Params, Rank, RankConstraint, register_collective,
};

/// All-gather by exchanges with the two neighbours in turn: first the own block, then always the two
/// blocks that came last.
///
/// | | |
/// |---|---|
/// | steps | `n / 2` sends and as many receives on each rank |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | memory | both modes, no scratch |
/// | group size | even |
/// | blocks | may differ in size |
///
/// Half the rounds of the ring, to neighbours only: the choice for blocks of middle size on a line or
/// ring of links that work in both directions.
///
/// Source: Chen, Zhang, Zhang and Yuan, "Performance evaluation of allgather algorithms on
/// terascale Linux cluster with fast Ethernet", 2005.
pub struct NeighborExchange;

impl Collective for NeighborExchange {
    fn describe(&self) -> Descriptor {
        let descriptor = Descriptor::all_gather("neighbor_exchange_all_gather");
        descriptor.ranks(RankConstraint::Even).both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        place_own(p, rank, s);
        let even = rank.index().is_multiple_of(2);
        let partner = p.rank(rank.index() ^ 1);
        s.send(partner, p.chunk(rank));
        s.recv(partner, p.chunk(partner));
        for step in 1..p.ranks() / 2 {
            let neighbor = if even == step.is_multiple_of(2) { rank.next() } else { rank.prev() };
            s.send(neighbor, came(p, rank, step - 1));
            s.recv(neighbor, came(p, rank, step));
        }
    }
}

/// The pair of blocks that a rank has from a step: pairs come in turn from the one side and the
/// other, each time one pair further; an even rank begins on the side of lower ranks.
fn came(p: &Params, rank: Rank, step: usize) -> ChunkRange {
    let pair = rank - rank.index() % 2;
    let far = 2 * step.div_ceil(2);
    let below = rank.index().is_multiple_of(2) != step.is_multiple_of(2);
    p.span(if below { pair - far } else { pair + far }, 2)
}

register_collective!(neighbor_exchange_all_gather, NeighborExchange);
