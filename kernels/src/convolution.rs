//! Convolutions of images: of `n` of `c` channels with `d` layers of `h` rows of `w` numbers.
//!
//! The products of an element are added as docs/numerics.md says: fused, channel by channel, those of a
//! channel in the order of the weights, in blocks of 256. What lies outside of the image counts as 0.

mod axis;
pub(crate) mod convolve;
mod gradient;
mod product;
mod tiled;

pub use convolve::{Convolve, ConvolveTransposed};
pub use tiled::convolution_tiled;

use crate::matmul::product::Float;
use axis::Axis;
use product::Convolution as Work;
use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// Windows of `i` by `j` by `k` numbers of `e` channels, times the weights of `f` filters: `p` by `q` by `r`
/// windows, `stride` apart from each other. An image is `g` of the `b` groups of channels, each of which has
/// filters of its own. The numbers of a window are `dilation` apart, those of the image `spread`.
#[kernel(host, T in [f32, f64], device = cpu)]
#[allow(clippy::too_many_arguments, reason = "extents and attributes are arguments by their names")]
pub fn convolution<T: Float>(
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
    let axes = [
        Axis::new([d, i, p], [stride_p, padding_d, dilation_i, spread_d]),
        Axis::new([h, j, q], [stride_q, padding_h, dilation_j, spread_h]),
        Axis::new([w, k, r], [stride_r, padding_w, dilation_k, spread_w]),
    ];
    Work { x, weights, batch: b, channels: e, groups: g, filters: f, axes }.compute(y);
}

register_operator! {
    /// Windows of images times the filters of their group, along three dimensions: `convolve` says it for whole
    /// images.
    pub Convolution = convolution;
    shape: "b e d h w, g f e i j k -> b f p q r",
    dtype: "F, F -> F",
    attributes: {
        p: usize, q: usize, r: usize,
        stride_p: i64, stride_q: i64, stride_r: i64,
        padding_d: i64, padding_h: i64, padding_w: i64,
        dilation_i: i64, dilation_j: i64, dilation_k: i64,
        spread_d: i64, spread_h: i64, spread_w: i64,
    },
    gradient: gradient::gradient,
}
