//! Windows of images: `n` of `c` channels with `d` layers of `h` rows of `w` numbers.
//!
//! There are `p` by `q` by `r` windows, `stride` apart from each other; the first one begins `padding` before
//! the image. One has `i` by `j` by `k` numbers, `dilation` apart. Only those inside of the image count.

use crate::convolution::convolve;
use ringwood_base::{DType, Result};
use ringwood_device::kernel;
use ringwood_graph::graph::{Attribute, Attributes, GradientContext};
use ringwood_graph::register_operator;

macro_rules! windows {
    ($(
        $(#[$doc:meta])*
        $operator:ident = $name:ident in [$($ty:ident)*] of $dtypes:literal,
        ($($more:ident)*) gives $result:ident:
        $(let $state:ident = $start:expr;)*
        |$image:ident, $inside:ident, $value:ident, $at_d:ident, $at_h:ident, $at_w:ident| {
            $($changed:ident = $step:expr;)*
        }
        $end:expr $(, gradient: $gradient:path)?;
    )*) => {$(
        $(#[$doc])*
        #[kernel(
            T in [$($ty),*],
            device = [cpu, opencl, cuda],
            domain = (y.len() / (p * q * r), p * q, r)
        )]
        pub fn $name<T>(
            x: &[T], y: &mut [$result],
            d: usize, h: usize, w: usize,
            p: usize, q: usize, r: usize,
            i: usize, j: usize, k: usize,
            stride_p: usize, stride_q: usize, stride_r: usize,
            padding_d: usize, padding_h: usize, padding_w: usize,
            dilation_i: usize, dilation_j: usize, dilation_k: usize,
            $($more: usize,)*
        ) {
            let $image = gid(2) * (d * h * w);
            // Wraps before the image.
            let first_d = gid(1) / q * stride_p - padding_d;
            let first_h = gid(1) % q * stride_q - padding_h;
            let first_w = gid(0) * stride_r - padding_w;
            $(let mut $state = $start;)*
            for layer in 0..i {
                let $at_d = first_d + layer * dilation_i;
                for row in 0..j {
                    let $at_h = first_h + row * dilation_j;
                    for column in 0..k {
                        let $at_w = first_w + column * dilation_k;
                        let $inside = $at_d < d && $at_h < h && $at_w < w;
                        // The proof of bounds follows a condition, not a variable that holds it.
                        let $value = if $at_d < d && $at_h < h && $at_w < w {
                            x[((gid(2) * d + $at_d) * h + $at_h) * w + $at_w]
                        } else {
                            0 as T
                        };
                        $($changed = $step;)*
                    }
                }
            }
            y[(gid(2) * (p * q) + gid(1)) * r + gid(0)] = $end;
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $name;
            shape: "n c d h w -> n c p q r",
            dtype: $dtypes,
            attributes: {
                p: usize, q: usize, r: usize,
                i: usize, j: usize, k: usize,
                stride_p: usize, stride_q: usize, stride_r: usize,
                padding_d: usize, padding_h: usize, padding_w: usize,
                dilation_i: usize, dilation_j: usize, dilation_k: usize
                $(, $more: usize)*
            },
            $(gradient: $gradient,)?
        }
    )*};
}

windows! {
    /// The largest number of each window; a NaN loses. A window outside of the image is the lowest number.
    /// The gradient goes to the first of equals.
    WindowMax = window_max in [f32 f64 f16 bf16 i8 u8 i32 i64] of "T -> T", () gives T:
    let total = f32::NEG_INFINITY as T;
    |_image, inside, value, at_d, at_h, at_w| {
        total = if inside { total.max(value) } else { total };
    }
    total, gradient: max_gradient;
    /// Where the first largest number of each window is, among all: a number weighs `weight_d` for each layer
    /// before it, `weight_h` for each row and `weight_w` for each one of its row.
    WindowArgmax = window_argmax in [f32 f64 f16 bf16 i8 u8 i32 i64] of "T -> i64",
    (weight_d weight_h weight_w) gives i64:
    let total = f32::NEG_INFINITY as T;
    let place = 0;
    let found = false;
    |image, inside, value, at_d, at_h, at_w| {
        place = if inside && (!found || value > total) {
            at_d * weight_d + at_h * weight_h + at_w * weight_w
        } else {
            place
        };
        total = if inside { total.max(value) } else { total };
        found = found || inside;
    }
    (image + place) as i64;
    /// The sum of each window.
    WindowSum = window_sum in [f32 f64 f16 bf16] of "F -> F", () gives T:
    let total = 0 as Acc<T>;
    |_image, inside, value, at_d, at_h, at_w| {
        total = if inside { total + value as Acc<T> } else { total };
    }
    total as T, gradient: sum_gradient;
}

/// Adds the gradient of each window to that of its first largest number, window by window.
fn max_gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let (x, y, g) = (c.operand(0), c.result(), c.gradient()?);
    let (ty, windows) = (c.type_of(x)?, c.type_of(y)?.shape);
    let [n, channels, d, h, w] = [0, 1, 2, 3, 4].map(|axis| ty.shape[axis]);
    let weights = [("weight_d", h * w), ("weight_h", w), ("weight_w", 1)];
    let weights = weights.into_iter().map(|(name, weight)| (name, Attribute::from(weight)));
    let given = c.attributes();
    let given = given.iter().map(|(name, value)| (name, value.clone()));
    let places =
        c.apply_with("window_argmax", &[x], Attributes::from_iter(given.chain(weights)))?;
    let image = c.graph.constant(&[], &[(d * h * w).max(1) as i64])?;
    let places = c.apply("rem", &[places, image])?;
    // A window outside of the image has no largest number.
    let (lowest, zero) = (c.constant(f64::NEG_INFINITY)?, c.constant(0.0)?);
    let g = c.apply("if_less", &[lowest, y, g, zero])?;
    let rows = |c: &mut GradientContext<'_>, value, shape: &[usize]| {
        c.reshape(value, &[n * channels, shape[2..].iter().product()])
    };
    let (places, g) = (rows(c, places, &windows)?, rows(c, g, &windows)?);
    let zeros = c.broadcast(zero, &[n * channels, d * h * w])?;
    let to_x = c.apply_with("put_along", &[zeros, places, g], [("axis", 1_usize), ("how", 1)])?;
    let to_x = c.reshape(to_x, &ty.shape)?;
    c.add(0, to_x)
}

/// Adds up the gradients of the windows that each number is in: a convolution with filters of ones, or the gradient of the
/// one window that holds all numbers.
fn sum_gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let (g, ty) = (c.gradient()?, c.type_of(c.operand(0))?);
    let number = |name: &str| c.value::<usize>(name).map(|n| n as i64);
    let numbers = |names: [&str; 3]| -> Result<[i64; 3]> {
        Ok([number(names[0])?, number(names[1])?, number(names[2])?])
    };
    let window = numbers(["i", "j", "k"])?;
    let [strides, paddings, dilations, _] = convolve::NAMES;
    let holds_all = window.iter().zip(&ty.shape[2..]).all(|(size, &extent)| *size >= extent as i64);
    let (padding, dilation) = (numbers(paddings)?, numbers(dilations)?);
    if (padding, dilation) == ([0; 3], [1; 3]) && holds_all && c.type_of(g)?.shape[2..] == [1; 3] {
        let to_x = c.broadcast(g, &ty.shape)?;
        return c.add(0, to_x);
    }
    let back = [padding, dilation].map(|numbers| numbers.map(|n| -n));
    let axes = [[1; 3], back[0], back[1], numbers(strides)?];
    let attributes = convolve::attributes([ty.shape[2], ty.shape[3], ty.shape[4]], axes);
    // Convolutions are of `f32` and `f64`.
    let narrow = !matches!(ty.dtype, DType::F32 | DType::F64);
    let one = c.constant(1.0)?;
    let wide = if narrow { DType::F32 } else { ty.dtype };
    let (g, one) = (c.cast(g, wide)?, c.cast(one, wide)?);
    let filter = [1, 1, 1, window[0], window[1], window[2]].map(|n| n as usize);
    let ones = c.broadcast(one, &filter)?;
    let windows = c.type_of(g)?.shape;
    let images = [windows[0] * windows[1], 1];
    let g = c.reshape(g, &[&images[..], &windows[2..]].concat())?;
    let to_x = c.apply_with("convolution", &[g, ones], attributes)?;
    let to_x = c.reshape(to_x, &ty.shape)?;
    let to_x = c.cast(to_x, ty.dtype)?;
    c.add(0, to_x)
}
