use crate::pattern::segments::pipelined;
use crate::pattern::tree::{Node, Way};
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// All-reduce along the chain of ranks and back, in `s` segments that follow each other.
///
/// | | |
/// |---|---|
/// | steps | `2s` sends and as many receives on an inner rank, `s` on the first and the last |
/// | rounds | `2(n - 1) + s - 1`: segments pass in both directions at once |
/// | bytes on the wire | 2 buffers for each inner rank |
/// | merges | one buffer for each rank but the first |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `linear` |
/// | segments | `sqrt(2(n - 1) buffer / 4 KiB)`, 1 to 128 |
///
/// The choice for long buffers in a fixed order where ranks reach only their neighbours; where all
/// can read all, [`TwoShot`](super::TwoShot) has the same order and fewer rounds. Its latency grows
/// with `n`.
///
/// Source: van de Geijn, "On global combine operations", 1994; the pipeline is textbook.
pub struct Chain;

impl Collective for Chain {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("chain").any_ranks()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        pipelined(&self.describe(), request, 2 * request.ranks.saturating_sub(1))
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let after = p.ranks() - 1 - rank.index();
        let parent = (after > 0).then(|| rank.next());
        let child = (rank.index() > 0).then(|| rank.prev());
        let node = Node::chain(parent, child, after);
        node.all_reduce(p.segments(), |way, part| match way {
            Way::Up => node.reduce(rank, p.segment(0_usize, part), s),
            Way::Down => node.broadcast(p.segment(0_usize, part), s),
        });
    }
}

register_collective!(chain, Chain);
