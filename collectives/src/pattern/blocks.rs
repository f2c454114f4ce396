//! Runs of blocks around the ring of ranks, and trees that gather and scatter them.

use ringwood_schedule::{BufferMode, ChunkRange, Lane, Params, Rank};

/// `count` consecutive blocks from block `first` on; after the last comes block 0, so that there may
/// be two runs.
pub(crate) fn around(p: &Params, first: Rank, count: usize) -> impl Iterator<Item = ChunkRange> {
    let straight = count.min(p.ranks() - first.index());
    let runs = [p.span(first, straight), p.span(0_usize, count - straight)];
    runs.into_iter().filter(|run| run.count > 0)
}

/// Puts the block that a rank contributes to its place in the output; in place it is there.
pub(crate) fn place_own(p: &Params, rank: Rank, s: &mut Lane) {
    if p.mode() == BufferMode::OutOfPlace {
        s.copy(p.input(rank), p.chunk(rank));
    }
}

/// Takes the blocks of all others around the ring; block `r` is at rank `r` already.
pub(crate) fn ring_all_gather(p: &Params, rank: Rank, s: &mut Lane) {
    for step in 0..p.ranks() - 1 {
        s.send(rank.next(), p.chunk(rank - step));
        s.recv(rank.prev(), p.chunk(rank - step - 1));
    }
}

/// An edge of a binomial tree over the ranks, which are numbered from the root's on.
pub(crate) enum Edge {
    /// To the rank that is nearer to the root, with the blocks of this rank's subtree.
    Up(Rank, usize),
    /// To another rank, with the blocks of its subtree.
    Down(Rank, usize),
}

/// The edges of a rank in the order in which blocks are gathered; scattering reverses it. A subtree
/// is consecutive ranks from its root on.
pub(crate) fn edges(p: &Params, rank: Rank) -> impl DoubleEndedIterator<Item = Edge> {
    let n = p.ranks();
    let place = (rank - p.root().index()).index();
    let widths = (0..n.next_power_of_two().ilog2()).map(|bit| 1_usize << bit);
    widths.filter_map(move |width| match place % (2 * width) {
        0 if place + width < n => Some(Edge::Down(rank + width, width.min(n - place - width))),
        at if at == width => Some(Edge::Up(rank - width, width.min(n - place))),
        _ => None,
    })
}

/// Gives each rank its block of what the root has.
pub(crate) fn scatter(p: &Params, rank: Rank, s: &mut Lane) {
    for edge in edges(p, rank).rev() {
        match edge {
            Edge::Up(parent, count) => around(p, rank, count).for_each(|run| s.recv(parent, run)),
            Edge::Down(child, count) => around(p, child, count).for_each(|run| s.send(child, run)),
        }
    }
}
