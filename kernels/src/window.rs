//! Windows of images: `n` of `c` channels with `d` layers of `h` rows of `w` numbers.
//!
//! There are `p` by `q` by `r` windows, `stride` apart from each other; the first one begins `padding` before
//! the image. One has `i` by `j` by `k` numbers, `dilation` apart. Only those inside of the image count.

use ringwood_device::kernel;
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
        $end:expr;
    )*) => {$(
        $(#[$doc])*
        #[kernel(
            T in [$($ty),*],
            device = [cpu, opencl, cuda],
            domain = (y.len() / (p * q * r), p * q, r)
        )]
        pub fn $name<T>(
            x: &[T],
            y: &mut [$result],
            d: usize,
            h: usize,
            w: usize,
            p: usize,
            q: usize,
            r: usize,
            i: usize,
            j: usize,
            k: usize,
            stride_p: usize,
            stride_q: usize,
            stride_r: usize,
            padding_d: usize,
            padding_h: usize,
            padding_w: usize,
            dilation_i: usize,
            dilation_j: usize,
            dilation_k: usize,
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
                        let at = if $at_d < d && $at_h < h && $at_w < w {
                            ((gid(2) * d + $at_d) * h + $at_h) * w + $at_w
                        } else {
                            0
                        };
                        let $value = x[at];
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
        }
    )*};
}

windows! {
    /// The largest number of each window; a NaN loses. A window outside of the image is the lowest number.
    WindowMax = window_max in [f32 f64 f16 bf16 i8 u8 i32 i64] of "T -> T", () gives T:
    let total = f32::NEG_INFINITY as T;
    |_image, inside, value, at_d, at_h, at_w| {
        total = if inside { total.max(value) } else { total };
    }
    total;
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
    total as T;
}
