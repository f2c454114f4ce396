use crate::pattern::segments::tiled;
use ringwood_base::Result;
use ringwood_schedule::{
    Chunks, Collective, Descriptor, Lane, Params, Rank, Request, register_collective,
};

/// All-reduce around a ring: reduce-scatter, then all-gather, in `s` segments.
///
/// | | |
/// |---|---|
/// | steps | `2(n - 1)s` sends and as many receives on each rank |
/// | bytes on the wire | `2(n - 1)/n` of the buffer for each rank: the least possible |
/// | merges | `(n - 1)/n` of the buffer for each rank |
/// | memory | in place, no scratch |
/// | group size | any |
/// | order | `ring`: chunk `c` is folded from rank `c` on, so bits depend on the position of an element, not on the rank or the run |
/// | segments | `ceil(chunk / 256 KiB)`, at most 128: a rank passes on the first while the next is coming. Where the group is [arranged](ringwood_schedule::Arrangement) on several rings, a multiple of their number: the segments go around them in turn |
///
/// The choice for long buffers where a rank talks best to its neighbours. Its latency grows with
/// `n`: for short buffers in large groups a tree is faster. Counts below `n` leave chunks empty;
/// those are skipped.
///
/// Source: Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
/// workstations", 2009. Equivalent to `RingReducer` of TensorFlow.
pub struct RingReducer;

impl Collective for RingReducer {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring").any_ranks().chunks(Chunks::PerRank)
    }

    fn resolve(&self, request: &Request) -> Result<Params> {
        let params = tiled(&self.describe(), request, 256 << 10)?;
        let segments = params.segments().next_multiple_of(params.rings());
        params.segmented(segments)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let parts: Vec<Part> = (0..p.segments()).map(|part| Part::new(p, rank, part)).collect();
        let turns = || (0..p.ranks() - 1).flat_map(|step| parts.iter().map(move |at| (step, at)));
        for (step, at) in turns() {
            s.send(at.next, p.segment(at.place - step, at.segment));
            s.recv_reduce(at.prev, p.segment(at.place - step - 1, at.segment));
        }
        for (step, at) in turns() {
            s.send(at.next, p.segment(at.place - step + 1, at.segment));
            s.recv(at.prev, p.segment(at.place - step, at.segment));
        }
    }
}

/// Where a rank is on the ring of a segment.
struct Part {
    segment: usize,
    place: Rank,
    next: Rank,
    prev: Rank,
}

impl Part {
    fn new(p: &Params, rank: Rank, segment: usize) -> Self {
        let place = p.place(segment, rank);
        let at = |place| p.at_place(segment, place);
        Self { segment, place, next: at(place.next()), prev: at(place.prev()) }
    }
}

register_collective!(ring, RingReducer);
