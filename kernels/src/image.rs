//! Images: `n` of `c` channels with `h` rows of `w` numbers.
//!
//! Windows of `window` by `window` numbers start every `stride` rows and columns. The extents of a
//! result are asked for, `p` rows of `q` windows: usually `(h + 2 padding - window) / stride + 1` and
//! the same for `w`.

use crate::formula::gradient;
use ringwood_device::kernel;
use ringwood_graph::register_operator;

macro_rules! pools {
    ($(
        $(#[$doc:meta])*
        $name:ident: $start:expr,
        |$total:ident, $value:ident| $step:expr,
        |$count:ident| $end:expr;
    )*) => {$(
        $(#[$doc])*
        #[kernel(
            T in [f32, f64, f16, bf16],
            device = [cpu, opencl, cuda],
            domain = (y.len() / (p * q), p, q),
            requires(stride > 0)
        )]
        pub fn $name<T>(x: &[T], y: &mut [T], h: usize, w: usize, p: usize, q: usize, window: usize, stride: usize) {
            let image = gid(2) * (h * w);
            let top = gid(1) * stride;
            let left = gid(0) * stride;
            let bottom = (top + window).min(h);
            let right = (left + window).min(w);
            let mut $total = $start;
            for row in top..bottom {
                for column in left..right {
                    let $value = x[image + row * w + column] as Acc<T>;
                    $total = $step;
                }
            }
            let $count = bottom.saturating_sub(top) * right.saturating_sub(left);
            y[(gid(2) * p + gid(1)) * q + gid(0)] = $end as T;
        }
    )*};
}

pools! {
    /// The largest number of each window, of which only the part inside of the image counts; a window
    /// outside is −∞. PyTorch's `max_pool2d`.
    max_pool: T::NEG_INFINITY as Acc<T>, |total, value| total.max(value), |_count| total;
    /// The mean of each window, of which only the part inside of the image counts; a window outside
    /// is NaN. PyTorch's `avg_pool2d(count_include_pad=False)`.
    mean_pool: 0 as Acc<T>, |total, value| total + value, |count| (total / count as Acc<T>);
}

register_operator! {
    /// The largest number of each window of images; its gradient goes to the first of equals.
    pub MaxPool = max_pool;
    shape: "n c h w -> n c p q",
    dtype: "F -> F",
    attributes: { p: usize, q: usize, window: usize, stride: usize },
    gradient: |c| {
        let (window, stride) = (c.value::<usize>("window")?, c.value::<usize>("stride")?);
        let windows = [("window", window), ("stride", stride)];
        gradient(c, |[x], y, g| [x.gets(x.apply_with("max_pool_grad", [y, g], windows))])
    },
}

register_operator! {
    /// The mean of each window of images.
    pub MeanPool = mean_pool;
    shape: "n c h w -> n c p q",
    dtype: "F -> F",
    attributes: { p: usize, q: usize, window: usize, stride: usize },
    gradient: |c| {
        let shape = c.type_of(c.operand(0))?.shape;
        let (window, stride) = (c.value::<usize>("window")?, c.value::<usize>("stride")?);
        let windows = [("h", shape[2]), ("w", shape[3]), ("window", window), ("stride", stride)];
        gradient(c, |[x], _, g| [x.gets(g.apply_with("mean_pool_grad", [], windows))])
    },
}

/// The gradient of `max_pool`, given its result `y` and the gradient `g` of that: each number gets
/// that of the windows whose first largest number it is.
#[kernel(
    T in [f32, f64, f16, bf16],
    device = [cpu, opencl, cuda],
    domain = (x.len() / (h * w), h, w),
    requires(stride > 0)
)]
pub fn max_pool_grad<T>(
    x: &[T],
    y: &[T],
    g: &[T],
    to_x: &mut [T],
    h: usize,
    w: usize,
    p: usize,
    q: usize,
    window: usize,
    stride: usize,
) {
    let row = gid(1);
    let column = gid(0);
    let image = gid(2) * (h * w);
    let value = x[image + row * w + column];
    let mut total = 0 as Acc<T>;
    for i in (row + stride).saturating_sub(window) / stride..(row / stride + 1).min(p) {
        for j in (column + stride).saturating_sub(window) / stride..(column / stride + 1).min(q) {
            let at = (gid(2) * p + i) * q + j;
            if y[at] == value {
                let mut chosen = true;
                for above in i * stride..row + 1 {
                    for before in j * stride..(j * stride + window).min(w) {
                        if above < row || before < column {
                            chosen = chosen && x[image + above * w + before] != value;
                        }
                    }
                }
                total += if chosen { g[at] as Acc<T> } else { 0 as Acc<T> };
            }
        }
    }
    to_x[(gid(2) * h + row) * w + column] = total as T;
}

register_operator! {
    /// The gradient of `max_pool`: images, its result, gradient of the result.
    pub MaxPoolGrad = max_pool_grad;
    shape: "n c h w, n c p q, n c p q -> n c h w",
    dtype: "F, F, F -> F",
    attributes: { window: usize, stride: usize },
}

/// The gradient of `mean_pool` for the gradient `g` of its result: each number gets its share of that
/// of every window that holds it.
#[kernel(
    T in [f32, f64, f16, bf16],
    device = [cpu, opencl, cuda],
    domain = (to_x.len() / (h * w), h, w),
    requires(stride > 0)
)]
pub fn mean_pool_grad<T>(
    g: &[T],
    to_x: &mut [T],
    h: usize,
    w: usize,
    p: usize,
    q: usize,
    window: usize,
    stride: usize,
) {
    let row = gid(1);
    let column = gid(0);
    let mut total = 0 as Acc<T>;
    for i in (row + stride).saturating_sub(window) / stride..(row / stride + 1).min(p) {
        for j in (column + stride).saturating_sub(window) / stride..(column / stride + 1).min(q) {
            let rows = (i * stride + window).min(h) - i * stride;
            let columns = (j * stride + window).min(w) - j * stride;
            let count = (rows * columns) as Acc<T>;
            total += g[(gid(2) * p + i) * q + j] as Acc<T> / count;
        }
    }
    to_x[(gid(2) * h + row) * w + column] = total as T;
}

register_operator! {
    /// The gradient of `mean_pool`: the gradient of its result.
    pub MeanPoolGrad = mean_pool_grad;
    shape: "n c p q -> n c h w",
    dtype: "F -> F",
    attributes: { h: usize, w: usize, window: usize, stride: usize },
}
