use crate::pattern::segments::pipelined;
use crate::pattern::tree::Node;
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// Reduce along the chain of ranks, in `s` segments that follow each other; the last rank gives the
/// result to the root.
///
/// | | |
/// |---|---|
/// | steps | `s` sends and as many receives on an inner rank; `n - 2 + s` rounds, one more if the root is not the last rank |
/// | bytes on the wire | one buffer from each rank; from the last one only if it is not the root |
/// | merges | one buffer for each rank but the first |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `linear` whatever the root |
/// | segments | `sqrt(n buffer / 4 KiB)`, 1 to 128 |
///
/// The choice for long buffers where ranks reach only their neighbours; the extra message to the root
/// is the price of an order that does not depend on it.
///
/// Source: the pipelined chain is textbook; Gropp's `MPI_Reduce` discussion and Open MPI's
/// `reduce_chain` have it without the fixed order.
pub struct Chain;

impl Collective for Chain {
    fn describe(&self) -> Descriptor {
        Descriptor::reduce("chain_reduce").any_ranks()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        pipelined(&self.describe(), request, request.ranks)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (last, root) = (p.rank(p.ranks() - 1), p.root());
        let parent =
            if rank != last { Some(rank.next()) } else { Some(root).filter(|_| root != last) };
        let child = (rank.index() > 0).then(|| rank.prev());
        let node = Node::chain(parent, child, last.index() - rank.index());
        let takes_result = rank == root && root != last;
        let lag = (node.depth + 1).min(p.segments());
        for time in 0..p.segments() + lag {
            if time < p.segments() {
                node.reduce(rank, p.segment(0_usize, time), s);
            }
            if takes_result && time >= lag {
                s.recv(last, p.segment(0_usize, time - lag));
            }
        }
    }
}

register_collective!(chain_reduce, Chain);
