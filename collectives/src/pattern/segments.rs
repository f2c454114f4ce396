//! Into how many segments an algorithm cuts its chunks for a request.

use ringwood_base::Result;
use ringwood_schedule::{Descriptor, Params, Request};

/// More segments than this cost more in waits than they gain.
const MOST: usize = 128;

/// The bytes that a link moves in the time that a message takes to begin: 4 KiB between threads.
const LATENCY_BYTES: usize = 4 << 10;

/// Segments of about `tile` bytes: `ceil(chunk / tile)` of them, 1 to 128.
pub(crate) fn tiled(descriptor: &Descriptor, request: &Request, tile: usize) -> Result<Params> {
    let params = Params::of_request(descriptor, request)?;
    let segments = chunk_bytes(&params, request).div_ceil(tile);
    params.segmented(segments.clamp(1, MOST))
}

/// The segments with which a pipeline of `hops` hops moves a chunk soonest.
///
/// It takes `(hops + s)(a + chunk / s * b)` with latency `a` and time per byte `b`, which is least
/// for `s = sqrt(hops * chunk * b / a)`; `a / b` is taken as 4 KiB, and `s` is 1 to 128.
pub(crate) fn pipelined(descriptor: &Descriptor, request: &Request, hops: usize) -> Result<Params> {
    let params = Params::of_request(descriptor, request)?;
    let bytes = chunk_bytes(&params, request);
    let segments = (hops.saturating_mul(bytes) / LATENCY_BYTES).isqrt();
    params.segmented(segments.clamp(1, MOST))
}

/// The bytes of a chunk before segmentation.
fn chunk_bytes(params: &Params, request: &Request) -> usize {
    let bytes = request.elements.saturating_mul(request.dtype.size());
    if params.operation().blocked() { bytes } else { bytes.div_ceil(params.chunks()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ringwood_base::DType;
    use ringwood_schedule::Chunks;

    #[test]
    fn segments_grow_with_the_bytes_of_a_chunk_up_to_a_bound() {
        let descriptor = Descriptor::all_reduce("any").chunks(Chunks::PerRank);
        let segments = |elements| {
            let request = Request::new(4, elements, DType::F32);
            let tiled = tiled(&descriptor, &request, 1024).unwrap().segments();
            (tiled, pipelined(&descriptor, &request, 9).unwrap().segments())
        };
        assert_eq!(segments(0), (1, 1));
        assert_eq!(segments(1024), (1, 1));
        assert_eq!(segments(1025), (2, 1));
        assert_eq!(segments(16 << 10), (16, 6));
        assert_eq!(segments(usize::MAX), (MOST, MOST));
    }
}
