//! The power-of-two core of a group, on which halving and doubling work.

use super::fold::merge_from;
use ringwood_schedule::{ChunkRange, Lane, Params, Rank};

/// The largest power of two of members, played by the ranks of a group.
///
/// If `n` ranks are `surplus` more than a power of two, the first `2 * surplus` ranks are in pairs:
/// one of each pair speaks for both. Member `i` is pair `i`, or beyond the pairs one rank. The root
/// speaks for its pair, otherwise the first rank does; without a root that is rank 0.
///
/// Merging first within the pairs and then member `i` with member `i ^ 1`, pair of members with pair
/// of members and so on is the order `xor_tree`. Every algorithm on the core keeps to it, whatever
/// the root, so that all of them give the same bits.
pub(crate) struct Core<'a> {
    p: &'a Params,
    surplus: usize,
    /// The number of members.
    pub(crate) size: usize,
}

impl<'a> Core<'a> {
    pub(crate) fn of(p: &'a Params) -> Self {
        let size = 1 << p.ranks().ilog2();
        Self { p, surplus: p.ranks() - size, size }
    }

    /// The member that `rank` is, or is in.
    pub(crate) fn member(&self, rank: Rank) -> usize {
        let index = rank.index();
        if index < 2 * self.surplus { index / 2 } else { index - self.surplus }
    }

    /// The rank that speaks for a member.
    pub(crate) fn speaker(&self, member: usize) -> Rank {
        if member >= self.surplus {
            return self.p.rank(member + self.surplus);
        }
        let root = self.p.root();
        if root.index() == 2 * member + 1 { root } else { self.p.rank(2 * member) }
    }

    pub(crate) fn speaks(&self, rank: Rank) -> bool {
        self.speaker(self.member(rank)) == rank
    }

    /// Merges the contributions of each pair at its speaker.
    pub(crate) fn enter(&self, rank: Rank, chunks: ChunkRange, s: &mut Lane) {
        match self.other(rank) {
            Some(other) if self.speaks(rank) => merge_from(other, rank, chunks, s),
            Some(other) => s.send(other, chunks),
            None => {}
        }
    }

    /// Gives what the speaker has to the other of its pair.
    pub(crate) fn leave(&self, rank: Rank, chunks: ChunkRange, s: &mut Lane) {
        match self.other(rank) {
            Some(other) if self.speaks(rank) => s.send(other, chunks),
            Some(other) => s.recv(other, chunks),
            None => {}
        }
    }

    fn other(&self, rank: Rank) -> Option<Rank> {
        (rank.index() < 2 * self.surplus).then(|| self.p.rank(rank.index() ^ 1))
    }

    /// The distances between partners, near ones first.
    pub(crate) fn distances(&self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.size.ilog2()).map(|bit| 1 << bit)
    }

    /// The place of `rank` in a tree of members that are numbered from the root's on by `xor`.
    fn beyond_root(&self, rank: Rank) -> usize {
        self.member(rank) ^ self.member(self.p.root())
    }

    /// Merges all contributions at the root, over a binomial tree.
    pub(crate) fn reduce(&self, rank: Rank, chunks: ChunkRange, s: &mut Lane) {
        self.enter(rank, chunks, s);
        if !self.speaks(rank) {
            return;
        }
        for distance in self.distances() {
            let partner = self.speaker(self.member(rank) ^ distance);
            if self.beyond_root(rank) & distance != 0 {
                return s.send(partner, chunks);
            }
            merge_from(partner, rank, chunks, s);
        }
    }

    /// Gives what the root has to all, over a binomial tree.
    pub(crate) fn broadcast(&self, rank: Rank, chunks: ChunkRange, s: &mut Lane) {
        for distance in self.distances().rev().filter(|_| self.speaks(rank)) {
            let partner = self.speaker(self.member(rank) ^ distance);
            match self.beyond_root(rank) % (2 * distance) {
                0 => s.send(partner, chunks),
                place if place == distance => s.recv(partner, chunks),
                _ => {}
            }
        }
        self.leave(rank, chunks, s);
    }
}
