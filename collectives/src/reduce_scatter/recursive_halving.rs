use crate::pattern::fold::merge_from;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Space, register_collective};

/// Reduce-scatter by halving: partners exchange the halves of what they share, first neighbours, then
/// at distance 2, 4 and so on.
///
/// | | |
/// |---|---|
/// | steps | `lg n` sends and as many receives on each rank; `n + 1` copies of blocks within it |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | merges | `n - 1` blocks for each rank |
/// | memory | both modes; `n` blocks of scratch, in which halves are consecutive |
/// | group size | powers of two |
/// | blocks | all of one size |
/// | order | `xor_tree`: bit-identical with [`all_reduce::Rabenseifner`](crate::all_reduce::Rabenseifner) |
///
/// The fewest rounds, so the choice for short blocks, and wherever the bits must be those of an
/// all-reduce in the same order.
///
/// Source: Thakur, Rabenseifner and Gropp, "Optimization of collective communication operations in
/// MPICH", 2005. Blocks lie in scratch by the reversed bits of their numbers, so that near partners
/// can come first and each exchange still is one message.
pub struct RecursiveHalving;

impl Collective for RecursiveHalving {
    fn describe(&self) -> Descriptor {
        let descriptor = Descriptor::reduce_scatter("recursive_halving_reduce_scatter");
        descriptor.power_of_two_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let bits = p.ranks().ilog2();
        for block in 0..p.ranks() {
            s.copy(p.input(block), p.scratch(reversed(block, bits)));
        }
        let (mut first, mut count) = (0, p.ranks());
        for bit in 0..bits {
            count /= 2;
            let upper = rank.index() >> bit & 1;
            let (kept, given) = (first + upper * count, first + (1 - upper) * count);
            let partner = p.rank(rank.index() ^ 1 << bit);
            s.send(partner, p.span(given, count).of(Space::Scratch));
            merge_from(partner, rank, p.span(kept, count).of(Space::Scratch), s);
            first = kept;
        }
        s.copy(p.scratch(first), p.chunk(rank));
    }
}

/// The lowest `bits` bits of `number` in the reverse order.
fn reversed(number: usize, bits: u32) -> usize {
    (0..bits).fold(0, |reversed, bit| reversed << 1 | number >> bit & 1)
}

register_collective!(recursive_halving_reduce_scatter, RecursiveHalving);
