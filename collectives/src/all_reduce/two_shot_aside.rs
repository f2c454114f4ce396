use ringwood_schedule::{Chunks, Collective, Descriptor, Lane, Params, Rank, register_collective};

/// All-reduce in two rounds, as [`TwoShot`](super::TwoShot), with all merges in scratch chunks: rank `r`
/// merges chunk `r` of all buffers in the order of the ranks, its own included, copies the result to
/// its buffer, and everyone takes it from there.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)` sends and as many receives on each rank, in two rounds, and 2 local ones |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | one chunk of scratch |
/// | group size | any |
/// | order | `linear` |
/// | roundings | 2, if what travels is encoded with loss, for every contribution alike |
///
/// The choice for elements that travel in 8 bits, since a scratch chunk may hold sums in `f32`; for
/// others a two-shot merges where elements lie, and copies less.
pub struct TwoShotAside;

impl Collective for TwoShotAside {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("two_shot_aside").any_ranks().chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let n = p.ranks();
        let (own, sum) = (p.chunk(rank), p.scratch(rank));
        for peer in (1..n).map(|distance| rank + distance) {
            s.send(peer, p.chunk(peer));
        }
        for member in (0..n).map(|r| p.rank(r)) {
            match (member == rank, member.index() == 0) {
                (true, true) => s.copy(own, sum),
                (true, false) => s.reduce(own, sum),
                (false, true) => s.recv(member, sum),
                (false, false) => s.recv_reduce(member, sum),
            }
        }
        s.copy(sum, own);
        for peer in (1..n).map(|distance| rank + distance) {
            s.send(peer, own);
        }
        for peer in (1..n).map(|distance| rank + distance) {
            s.recv(peer, p.chunk(peer));
        }
    }
}

register_collective!(two_shot_aside, TwoShotAside);
