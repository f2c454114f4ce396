//! Convolutions for devices without native code: the tiles of a product whose second factor is the windows.

use ringwood_device::kernel;

/// As `convolution`; a group of work-items computes 16 filters at 16 places. It stores a tile of its own, whose
/// rows are below `f`: that is what the proof does not follow.
#[kernel(
    unique,
    T in [f32, f64],
    device = [opencl, cuda],
    implements = super::convolution,
    group = (16, 16),
    groups = (b, f.div_ceil(16), (p * q * r).div_ceil(16)),
    requires(
        y.len() == b * f * p * q * r,
        stride_p > 0,
        stride_q > 0,
        stride_r > 0,
        spread_d > 0,
        spread_h > 0,
        spread_w > 0
    )
)]
pub fn convolution_tiled<T>(
    x: &[T],
    weights: &[T],
    y: &mut [T],
    b: usize,
    e: usize,
    d: usize,
    h: usize,
    w: usize,
    g: usize,
    f: usize,
    i: usize,
    j: usize,
    k: usize,
    p: usize,
    q: usize,
    r: usize,
    stride_p: i64,
    stride_q: i64,
    stride_r: i64,
    padding_d: i64,
    padding_h: i64,
    padding_w: i64,
    dilation_i: i64,
    dilation_j: i64,
    dilation_k: i64,
    spread_d: i64,
    spread_h: i64,
    spread_w: i64,
) {
    shared!(left: [[T; 16]; 16]);
    shared!(right: [[T; 16]; 16]);
    let places = p * q * r;
    let terms = e * i * j * k;
    let first = grp(2) % g * f;
    let row = grp(1) * 16 + lid(1);
    let column = grp(0) * 16 + lid(0);
    let start_d = (column / (q * r)) as i64 * stride_p - padding_d;
    let start_h = (column / r % q) as i64 * stride_q - padding_h;
    let start_w = (column % r) as i64 * stride_r - padding_w;
    let mut total = 0.0;
    let mut sum = 0.0;
    for tile in 0..terms.div_ceil(16) {
        let l = tile * 16 + lid(0);
        left[lid(1)][lid(0)] =
            if row < f && l < terms { weights[(first + row) * terms + l] } else { 0.0 };
        let l = tile * 16 + lid(1);
        let z_d = start_d + (l / (j * k) % i) as i64 * dilation_i;
        let z_h = start_h + (l / k % j) as i64 * dilation_j;
        let z_w = start_w + (l % k) as i64 * dilation_k;
        let at_d = (z_d / spread_d) as usize;
        let at_h = (z_h / spread_h) as usize;
        let at_w = (z_w / spread_w) as usize;
        let after = z_d >= 0 && z_h >= 0 && z_w >= 0;
        let between = z_d % spread_d != 0 || z_h % spread_h != 0 || z_w % spread_w != 0;
        let inside = at_d < d && at_h < h && at_w < w && after && !between;
        let channel = grp(2) * e + l / (i * j * k);
        right[lid(1)][lid(0)] = if inside && l < terms && column < places {
            x[((channel * d + at_d) * h + at_h) * w + at_w]
        } else {
            0.0
        };
        barrier();
        for s in 0..16 {
            sum = left[lid(1)][s].mul_add(right[s][lid(0)], sum);
        }
        barrier();
        if tile % 16 == 15 {
            total += sum;
            sum = 0.0;
        }
    }
    total += sum;
    if row < f && column < places {
        y[(grp(2) * f + row) * places + column] = total;
    }
}
