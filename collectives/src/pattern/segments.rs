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
    let bytes = request.elements.saturating_mul(request.what.dtype.size());
    if params.operation().blocked() { bytes } else { bytes.div_ceil(params.chunks()) }
}

#[cfg(test)]
mod tests;
