use crate::pattern::halving;
use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-reduce by halving, then doubling, between partners that swing from side to side: step `k`
/// pairs rank `r` with `r + d` if `r` is even and `r - d` if it is odd, `d = (1 - (-2)^(k+1)) / 3`:
/// 1, -1, 3, -5, 11 and so on.
///
/// | | |
/// |---|---|
/// | steps | `2 lg n` sends and as many receives on each rank |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | in place, no scratch |
/// | group size | powers of two |
/// | order | has no name: each chunk has a tree of its own, the same on all ranks |
///
/// As [`Rabenseifner`](super::Rabenseifner), but partners are a third nearer on a ring or torus, with
/// less contention on its links: the choice there. Where distance costs nothing, take the other,
/// whose order is one for all elements.
///
/// Source: De Sensi, Bonato, Saam and Hoefler, "Swing: short-cutting rings for higher bandwidth
/// allreduce", 2024. Chunks are numbered such that each exchange is one run of them.
pub struct Swing;

impl Collective for Swing {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("swing").power_of_two_ranks().chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let round = |(step, upper)| (partner(p, rank, step), upper);
        halving::all_reduce(p, rank, halves(p, rank).into_iter().enumerate().map(round), s);
    }
}

fn distance(step: usize) -> i64 {
    (1 - (-2_i64).pow(step as u32 + 1)) / 3
}

fn partner(p: &Params, rank: Rank, step: usize) -> Rank {
    let far = distance(step).rem_euclid(p.ranks() as i64) as usize;
    if rank.index().is_multiple_of(2) { rank + far } else { rank - far }
}

/// Whether `rank` keeps the upper half in each step.
///
/// The ranks that share a half after step `k` are those that later steps connect: with each other
/// they are a multiple of `2^(k+2)` apart, and that plus the distance of the next step if one is even
/// and one is odd. `first` is one of the ranks that shared all so far; those that stay connected with
/// it keep the lower half, those with its partner the upper one.
fn halves(p: &Params, rank: Rank) -> Vec<bool> {
    let steps = p.ranks().ilog2() as usize;
    let mut first = p.rank(0);
    let mut upper = Vec::with_capacity(steps);
    for step in 0..steps {
        let apart = rank.index() as i64 - first.index() as i64;
        let swing = match (first.index() % 2, rank.index() % 2) {
            (0, 1) => distance(step + 1),
            (1, 0) => -distance(step + 1),
            _ => 0,
        };
        let connected = (apart - swing) % (1 << (step + 2)) == 0;
        let keeps_lower = if step + 1 == steps { rank == first } else { connected };
        if !keeps_lower {
            first = partner(p, first, step);
        }
        upper.push(!keeps_lower);
    }
    upper
}

register_collective!(swing, Swing);
