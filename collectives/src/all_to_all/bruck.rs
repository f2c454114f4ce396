use crate::pattern::blocks::place_own;
use ringwood_schedule::{
    ChunkRange, Collective, Descriptor, Lane, Params, Rank, Space, register_collective,
};

/// All-to-all in `ceil(lg n)` rounds: a block that has to go `d` ranks further on hops `2^k` for each
/// bit `k` of `d`, together with all others that do.
///
/// | | |
/// |---|---|
/// | steps | `ceil(lg n)` sends and as many receives on each rank; about `n/2` copies of blocks before each, and `n - 1` at the end |
/// | bytes on the wire | about `n/2 ceil(lg n)` blocks for each rank |
/// | memory | both modes; `1 + ceil(lg n)` times `n/2` blocks of scratch, in which what goes together is consecutive |
/// | group size | any |
/// | blocks | all of one size |
///
/// The choice for blocks of up to some hundred bytes among many ranks; beyond, its bytes count and
/// [`Pairwise`](super::Pairwise) is faster.
///
/// Source: Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient algorithms for all-to-all
/// communications in multiport message-passing systems", 1997.
pub struct Bruck;

impl Collective for Bruck {
    fn describe(&self) -> Descriptor {
        Descriptor::all_to_all("bruck_all_to_all").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let n = p.ranks();
        // Where the block lies that has to go `distance` ranks further on.
        let mut place: Vec<ChunkRange> = (0..n).map(|distance| p.input(rank + distance)).collect();
        for round in 0..n.next_power_of_two().ilog2() {
            let moving: Vec<usize> = (0..n).filter(|distance| distance >> round & 1 == 1).collect();
            let packed = run(p, 0, moving.len());
            let came = run(p, 1 + round as usize, moving.len());
            for (i, &distance) in moving.iter().enumerate() {
                s.copy(place[distance], nth(p, packed, i));
                place[distance] = nth(p, came, i);
            }
            s.send(rank + (1 << round), packed);
            s.recv(rank - (1 << round), came);
        }
        place_own(p, rank, s);
        for (distance, &block) in place.iter().enumerate().skip(1) {
            s.copy(block, p.chunk(rank - distance));
        }
    }
}

/// The first `count` blocks of half a scratch buffer.
fn run(p: &Params, half: usize, count: usize) -> ChunkRange {
    let first = half / 2 * p.ranks() + half % 2 * (p.ranks() / 2);
    p.span(first, count).of(Space::Scratch)
}

/// Block `i` of a run.
fn nth(p: &Params, run: ChunkRange, i: usize) -> ChunkRange {
    p.scratch(run.range().start / p.segments() + i)
}

register_collective!(bruck_all_to_all, Bruck);
