use crate::pattern::fold::{Take, fold};
use crate::pattern::segments::tiled;
use ringwood_base::Result;
use ringwood_schedule::{
    Chunks, Collective, Descriptor, Lane, Params, Rank, Request, register_collective,
};

/// All-reduce in two rounds: rank `r` merges chunk `r` of all buffers in the order of the ranks, then
/// everyone takes every chunk from the rank that merged it, in `s` segments.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)s` sends and as many receives on each rank, in two rounds |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | in place: one chunk of scratch on the ranks from 2 on; out of place: none |
/// | memory traffic | over peer memory, with buffers beyond the cache, each rank reads and writes the buffer about once: 2 to 3 times its bytes |
/// | group size | any |
/// | order | `linear`: bit-identical with [`OneShot`](super::OneShot), [`Chain`](super::Chain) |
/// | segments | `ceil(chunk / 256 KiB)`, at most 128: results are taken while the next segment is merged |
///
/// The choice where peers read memory and do not write it: a send costs nothing, a receive reads the
/// sender's buffer in place, and the prefix of a fold stays in the cache. Across machines every rank
/// talks to all others at once, which a ring avoids.
///
/// Source: Rabenseifner, "Optimization of collective reduction operations", 2004 (direct
/// reduce-scatter and all-gather); over shared memory: Hashmi et al., "Designing efficient shared
/// address space reduction collectives for multi-/many-cores", 2018.
pub struct TwoShot;

impl Collective for TwoShot {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("two_shot").any_ranks().chunks(Chunks::PerRank).both_modes()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        tiled(&self.describe(), request, 256 << 10)
    }

    /// Segment `k + 1` is offered before the result of segment `k`, because the receiver merges it
    /// before it takes that result.
    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let n = p.ranks();
        let last = p.segments() - 1;
        offer(p, rank, 0, s);
        for part in 0..=last {
            if part < last {
                offer(p, rank, part + 1, s);
            }
            let own = p.segment(rank, part);
            fold(Take::Messages, (0..n).map(|r| p.rank(r)), rank, p.of_input(own), own, s);
            for distance in 1..n {
                s.send(rank + distance, own);
            }
            if part > 0 {
                collect(p, rank, part - 1, s);
            }
        }
        collect(p, rank, last, s);
    }
}

/// Sends every rank its chunk's segment.
fn offer(p: &Params, rank: Rank, part: usize, s: &mut Lane) {
    for peer in (1..p.ranks()).map(|distance| rank + distance) {
        s.send(peer, p.of_input(p.segment(peer, part)));
    }
}

/// Takes the merged segment of every other rank.
fn collect(p: &Params, rank: Rank, part: usize, s: &mut Lane) {
    for peer in (1..p.ranks()).map(|distance| rank + distance) {
        s.recv(peer, p.segment(peer, part));
    }
}

register_collective!(two_shot, TwoShot);
