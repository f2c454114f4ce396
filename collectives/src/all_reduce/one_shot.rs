use crate::pattern::fold::{Take, fold};
use ringwood_schedule::{
    BufferMode, Collective, Descriptor, Lane, Params, Rank, Space, register_collective,
};

/// All-reduce in one round: every rank reads all buffers and merges them in the order of the ranks.
///
/// | | |
/// |---|---|
/// | steps | `n - 1` sends and as many receives on each rank, in one round |
/// | bytes on the wire | `n - 1` buffers for each rank |
/// | merges | `n - 1` buffers for each rank |
/// | memory | in place: a copy of the buffer in scratch, for the others to read; out of place: none |
/// | group size | any |
/// | order | `linear`: bit-identical with [`TwoShot`](super::TwoShot) |
///
/// One wait where others have two or more, so the choice for the shortest buffers in small groups
/// over memory that peers can read. Bytes grow with `n²`.
///
/// Source: textbook (all-gather, then a local sum); one-shot all-reduce of DeepSpeed and vLLM.
pub struct OneShot;

impl Collective for OneShot {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("one_shot").any_ranks().both_modes()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if p.ranks() == 1 && p.mode() == BufferMode::InPlace {
            return;
        }
        let own = match p.mode() {
            BufferMode::InPlace => p.all().of(Space::Scratch),
            BufferMode::OutOfPlace => p.all().of(Space::Input),
        };
        if p.mode() == BufferMode::InPlace {
            s.copy(p.all(), own);
        }
        for distance in 1..p.ranks() {
            s.send(rank + distance, own);
        }
        fold(Take::Messages, (0..p.ranks()).map(|r| p.rank(r)), rank, own, p.all(), s);
    }
}

register_collective!(one_shot, OneShot);
