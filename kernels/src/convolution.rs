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

use crate::matmul::product::{Float, Lines};
use axis::Axis;
use product::Convolution as Work;
use ringwood_device::kernel;
use ringwood_graph::register_operator;

/// A kernel of convolutions, with the filters as they are or packed, and its operator.
macro_rules! convolution {
    ($(#[$doc:meta])* $operator:ident = $name:ident, packed: $packed:literal, $($more:tt)*) => {
        $(#[$doc])*
        #[kernel(host, T in [f32, f64], device = cpu)]
        #[allow(clippy::too_many_arguments, reason = "extents and attributes are arguments by their names")]
        pub fn $name<T: Float>(
            x: &[T], weights: &[T], y: &mut [T],
            b: usize, e: usize, d: usize, h: usize, w: usize,
            g: usize, f: usize, i: usize, j: usize, k: usize,
            p: usize, q: usize, r: usize,
            stride_p: i64, stride_q: i64, stride_r: i64,
            padding_d: i64, padding_h: i64, padding_w: i64,
            dilation_i: i64, dilation_j: i64, dilation_k: i64,
            spread_d: i64, spread_h: i64, spread_w: i64,
        ) {
            let axes = [
                Axis::new([d, i, p], [stride_p, padding_d, dilation_i, spread_d]),
                Axis::new([h, j, q], [stride_q, padding_h, dilation_j, spread_h]),
                Axis::new([w, k, r], [stride_r, padding_w, dilation_k, spread_w]),
            ];
            let packed = $packed;
            Work { x, weights, packed, batch: b, channels: e, groups: g, filters: f, axes }.compute(y);
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $name;
            shape: "b e d h w, g f e i j k -> b f p q r",
            dtype: "F, F -> F",
            attributes: {
                p: usize, q: usize, r: usize,
                stride_p: i64, stride_q: i64, stride_r: i64,
                padding_d: i64, padding_h: i64, padding_w: i64,
                dilation_i: i64, dilation_j: i64, dilation_k: i64,
                spread_d: i64, spread_h: i64, spread_w: i64,
            },
            $($more)*
        }
    };
}

convolution! {
    /// Windows of `i` by `j` by `k` numbers of `e` channels, times the weights of `f` filters: `p` by `q` by `r`
    /// windows, `stride` apart from each other. An image is `g` of the `b` groups of channels, each of which has
    /// filters of its own. The numbers of a window are `dilation` apart, those of the image `spread`. `convolve` says
    /// it for whole images.
    Convolution = convolution, packed: false, gradient: gradient::gradient,
}

convolution! {
    /// A `convolution` with filters that `convolution_pack` packed.
    ConvolutionPacked = convolution_packed, packed: true,
    computes: ["(x, convolution_pack(w)) = convolution(x, w)"],
}

/// The filters of each of `g` groups, packed as products on this processor read their first factor.
#[kernel(host, T in [f32, f64], device = cpu)]
#[allow(clippy::too_many_arguments, reason = "extents are arguments by their names")]
pub fn convolution_pack<T: Float>(
    weights: &[T],
    packed: &mut [T],
    f: usize,
    e: usize,
    i: usize,
    j: usize,
    k: usize,
) {
    let terms = e * i * j * k;
    let groups = weights.chunks((f * terms).max(1)).zip(packed.chunks_mut((f * terms).max(1)));
    groups.for_each(|(weights, packed)| Lines::rows(weights, f, terms).pack_rows(packed));
}

register_operator! {
    /// The filters of `convolution_packed`.
    pub ConvolutionPack = convolution_pack;
    shape: "g f e i j k -> g f e i j k",
    dtype: "F -> F",
}
