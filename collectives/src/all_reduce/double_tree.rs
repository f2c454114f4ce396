use crate::pattern::segments::pipelined;
use crate::pattern::tree::{Node, Way};
use ringwood_base::Result;
use ringwood_schedule::{
    Chunks, Collective, Descriptor, Lane, Params, Rank, Request, register_collective,
};

/// All-reduce over two binary trees, each with one half of the buffer in `s` segments that follow each
/// other to the root and back. An inner rank of one tree is a leaf of the other, so that all ranks
/// carry the same load.
///
/// | | |
/// |---|---|
/// | steps | `4(n - 1)s` messages of all ranks together: at most `4s` sends and `4s` receives on one |
/// | rounds | about `2 lg n + 4s` |
/// | bytes on the wire | 2 buffers for each rank, at most |
/// | merges | one buffer for each rank, at most |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | has no name: the halves have trees of their own, the same on all ranks |
/// | segments | `sqrt(2 lg n half / 4 KiB)` for each half, 1 to 128 |
///
/// Latency grows with `lg n` and bytes are the least possible for a tree: the choice for buffers of
/// all sizes in large groups over links.
///
/// Source: Sanders, Speck and Träff, "Two-tree algorithms for full bandwidth broadcast, reduction and
/// scan", 2009.
pub struct DoubleTree;

impl Collective for DoubleTree {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("double_tree").any_ranks().chunks(Chunks::Fixed(2))
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        let height = request.ranks.max(1).ilog2() as usize;
        pipelined(&self.describe(), request, 2 * height)
    }

    /// Both trees are served in turn. Each has a channel: between two ranks their messages come in
    /// different orders.
    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let trees = [node(p, rank, false), node(p, rank, true)];
        let mut turns: [Vec<(Way, usize)>; 2] = [Vec::new(), Vec::new()];
        for (node, turns) in trees.iter().zip(&mut turns) {
            node.all_reduce(p.segments(), |way, part| turns.push((way, part)));
        }
        let [first, second] = turns;
        for (a, b) in first.into_iter().zip(second) {
            for (tree, (way, part)) in [a, b].into_iter().enumerate() {
                s.set_channel(tree as u16);
                match way {
                    Way::Up => trees[tree].reduce(rank, p.segment(tree, part), s),
                    Way::Down => trees[tree].broadcast(p.segment(tree, part), s),
                }
            }
        }
    }
}

/// A rank of the in-order binary tree, whose ranks with even numbers are leaves. The `second` tree is the
/// same over the mirrored ranks if their number is even, or else over the ranks moved by one, so that
/// those with odd numbers are leaves.
fn node(p: &Params, rank: Rank, second: bool) -> Node {
    let n = p.ranks();
    let (place, at): (usize, &dyn Fn(usize) -> Rank) = match (second, n % 2) {
        (false, _) => (rank.index(), &|place| p.rank(place)),
        (true, 0) => (n - 1 - rank.index(), &|place| p.rank(n - 1 - place)),
        (true, _) => (rank.next().index(), &|place| p.rank(place).prev()),
    };
    let (mut low, mut high, mut parent, mut depth) = (0, n, None, 0);
    loop {
        let root = middle(low, high);
        if place == root {
            let subtree = |low: usize, high: usize| (low < high).then(|| at(middle(low, high)));
            let subtrees = [subtree(low, root), subtree(root + 1, high)];
            let children = subtrees.into_iter().flatten().collect();
            return Node { parent: parent.map(at), children, depth };
        }
        if place < root {
            high = root;
        } else {
            low = root + 1;
        }
        (parent, depth) = (Some(root), depth + 1);
    }
}

/// The root of the in-order binary tree over `low..high`: its left subtree is complete.
fn middle(low: usize, high: usize) -> usize {
    low + (1 << (high - low).ilog2()) - 1
}

register_collective!(double_tree, DoubleTree);
