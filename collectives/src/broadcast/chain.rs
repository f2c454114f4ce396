use crate::pattern::segments::pipelined;
use crate::pattern::tree::Node;
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// Broadcast along the chain of ranks from the root on, in `s` segments that follow each other.
///
/// | | |
/// |---|---|
/// | steps | `s` sends and as many receives on an inner rank; `n - 2 + s` rounds |
/// | bytes on the wire | one buffer to each rank but the root |
/// | memory | in place, no scratch |
/// | group size | any |
/// | segments | `sqrt((n - 1) buffer / 4 KiB)`, 1 to 128 |
///
/// The choice for long buffers where ranks reach their neighbours best: each link carries the buffer
/// once. Its latency grows with `n`.
///
/// Source: textbook; Open MPI's `bcast_chain`.
pub struct Chain;

impl Collective for Chain {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("chain_broadcast").any_ranks()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        pipelined(&self.describe(), request, request.ranks.saturating_sub(1))
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let root = p.root();
        let parent = (rank != root).then(|| rank.prev());
        let child = (rank.next() != root).then(|| rank.next());
        let node = Node::chain(parent, child, (rank - root.index()).index());
        for part in 0..p.segments() {
            node.broadcast(p.segment(0_usize, part), s);
        }
    }
}

register_collective!(chain_broadcast, Chain);
