use crate::pattern::fold::{Take, fold};
use crate::pattern::segments::tiled;
use ringwood_base::Result;
use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank, Request, register_collective};

/// Reduce-scatter in one round: every rank merges its block of all inputs in the order of the ranks,
/// in `s` segments.
///
/// | | |
/// |---|---|
/// | steps | `(n - 1)s` sends and as many receives on each rank, in one round |
/// | bytes on the wire | `n - 1` blocks for each rank: the least possible |
/// | merges | `n - 1` blocks for each rank |
/// | memory | in place: one block of scratch on the ranks from 2 on; out of place: none |
/// | group size | any |
/// | blocks | may differ in size |
/// | order | `linear`: bit-identical with [`all_reduce::TwoShot`](crate::all_reduce::TwoShot) |
/// | segments | `ceil(block / 256 KiB)`, at most 128, so that partial results stay in the cache |
///
/// The choice on one machine, where inputs are read in place. Across machines every rank talks to all
/// others at once.
///
/// Source: Rabenseifner, "Optimization of collective reduction operations", 2004.
pub struct Direct;

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::reduce_scatter("direct_reduce_scatter").any_ranks().both_modes()
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        tiled(&self.describe(), request, 256 << 10)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for part in 0..p.segments() {
            for peer in (1..p.ranks()).map(|distance| rank + distance) {
                s.send(peer, p.of_input(p.segment(peer, part)));
            }
            let target = p.segment(rank, part);
            fold(
                Take::Messages,
                (0..p.ranks()).map(|r| p.rank(r)),
                rank,
                p.of_input(target),
                target,
                s,
            );
        }
    }
}

register_collective!(direct_reduce_scatter, Direct);
