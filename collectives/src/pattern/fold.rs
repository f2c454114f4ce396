//! Merging in the order of the ranks, without relays: the order `linear`.

use ringwood_schedule::{ChunkRange, Lane, Rank, Space};

/// How a rank gets at the contributions of others.
#[derive(Clone, Copy)]
pub(crate) enum Take {
    /// They send them.
    Messages,
    /// It reads their memory, where the chunks have the numbers of its own.
    Memory,
}

impl Take {
    fn first(self, member: Rank, own: ChunkRange, target: ChunkRange, s: &mut Lane) {
        match self {
            Self::Messages => s.recv(member, target),
            Self::Memory => s.get(member, own, target),
        }
    }

    fn merge(self, member: Rank, own: ChunkRange, target: ChunkRange, s: &mut Lane) {
        match self {
            Self::Messages => s.recv_reduce(member, target),
            Self::Memory => s.get_reduce(member, own, target),
        }
    }
}

/// Merges what `members` contribute, in their order, into `target`.
///
/// `rank` is one of them and contributes `own`. Where `own` is `target`, it must stay until its
/// turn: what comes before it, if more than one contribution, is merged in the scratch chunks of
/// the same numbers.
pub(crate) fn fold(
    take: Take,
    members: impl Iterator<Item = Rank>,
    rank: Rank,
    own: ChunkRange,
    target: ChunkRange,
    s: &mut Lane,
) {
    let mut before: Vec<Rank> = Vec::new();
    let mut passed = false;
    for member in members {
        if member == rank {
            passed = true;
            merge_before(take, &before, own, target, s);
        } else if passed {
            take.merge(member, own, target, s);
        } else {
            before.push(member);
        }
    }
}

/// Merges what `partner` sends on the side of its rank, so that operands keep the order of the ranks.
pub(crate) fn merge_from(partner: Rank, rank: Rank, chunks: ChunkRange, s: &mut Lane) {
    s.set_left(partner.index() < rank.index());
    s.recv_reduce(partner, chunks);
    s.set_left(false);
}

/// The own contribution after those of `before`.
fn merge_before(take: Take, before: &[Rank], own: ChunkRange, target: ChunkRange, s: &mut Lane) {
    let gathered = if own == target { target.of(Space::Scratch) } else { target };
    match before {
        [] if own != target => s.copy(own, target),
        [] => {}
        [only] if own == target => {
            s.set_left(true);
            take.merge(*only, own, target, s);
        }
        [first, others @ ..] => {
            take.first(*first, own, gathered, s);
            for &member in others {
                take.merge(member, own, gathered, s);
            }
            s.set_left(own == target);
            s.reduce(if own == target { gathered } else { own }, target);
        }
    }
    s.set_left(false);
}
