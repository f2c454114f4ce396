use crate::pattern::segments::pipelined;
use crate::pattern::tree::Node;
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// Broadcast over a binary tree of one rank of each task, then over a binary tree inside of each task,
/// in `s` segments that follow each other. The source stands for its task, otherwise the first rank
/// does.
///
/// | | |
/// |---|---|
/// | steps | `(n - 1)s` messages of all ranks together; at most `8s` sends on one rank |
/// | rounds | about `2 lg t + 2 lg q` with `t` tasks of `q` ranks, and `s` |
/// | bytes on the wire | one buffer to each rank but the root, and into each task once |
/// | memory | in place, no scratch |
/// | group size | any, in tasks of any sizes |
/// | segments | `sqrt(2 lg n buffer / 4 KiB)`, 1 to 128 |
///
/// The choice where ranks of a task talk faster with each other than with others, for buffers of
/// all sizes.
///
/// Source: `HierarchicalTreeBroadcaster` of TensorFlow, whose trees these are.
pub struct HierarchicalTree;

impl Collective for HierarchicalTree {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("hierarchical_tree_broadcast").any_ranks()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        let height = request.ranks.max(1).ilog2() as usize;
        pipelined(&self.describe(), request, 2 * height)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let source = p.root().index();
        let (home, here) = (p.task_of(p.root()), p.task_of(rank));
        let head = |task: usize| if task == home { source } else { p.task(task).start };
        let mut nodes = Vec::new();
        if p.tasks() > 1 && rank.index() == head(here) {
            nodes.push(node(p.tasks(), home, here, |task| p.rank(head(task))));
        }
        let ranks = p.task(here);
        let (first, inside) = (ranks.start, head(here) - ranks.start);
        nodes.push(node(ranks.len(), inside, rank.index() - first, |place| p.rank(first + place)));
        for part in 0..p.segments() {
            nodes.iter().for_each(|node| node.broadcast(p.segment(0_usize, part), s));
        }
    }
}

/// Member `place` of a tree of `size` members with this source.
///
/// With source 0 it is the binary tree in the order of levels. Otherwise members 0 and 1 are the
/// children of the source, which also keeps its place below them.
fn node(size: usize, source: usize, place: usize, rank: impl Fn(usize) -> Rank) -> Node {
    let first = if source == 0 { 2 * place + 1 } else { 2 * place + 2 };
    let mut children = Vec::new();
    if place == source && source != 0 {
        children.extend([0, 1]);
    }
    children.extend([first, first + 1]);
    children.retain(|&child| child < size && child != source);
    let parent = match (source, place) {
        _ if place == source => None,
        (0, _) => Some((place - 1) / 2),
        (_, 0 | 1) => Some(source),
        _ => Some(place / 2 - 1),
    };
    let children = children.into_iter().map(&rank).collect();
    Node { parent: parent.map(rank), children, depth: 0 }
}

register_collective!(hierarchical_tree_broadcast, HierarchicalTree);
