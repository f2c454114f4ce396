//! The loops that a careful person writes, compiled for the processor as the kernels are.

use ringwood_ir::math::{Float, Number};

const LANES: usize = 256;

macro_rules! dispatch {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $ty:ty),*) $body:block)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name($($arg: $ty),*) {
            #[inline(always)]
            fn body($($arg: $ty),*) $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn v3($($arg: $ty),*) {
                    body($($arg),*)
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    // SAFETY: the processor has both features.
                    return unsafe { v3($($arg),*) };
                }
            }
            body($($arg),*)
        }
    )*};
}

#[inline(always)]
fn tree(lanes: &mut [f32; LANES], combine: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        let (lower, upper) = lanes.split_at_mut(half);
        lower.iter_mut().zip(upper).for_each(|(a, b)| *a = combine(*a, *b));
        half /= 2;
    }
    lanes[0]
}

/// `each(lane, value)` for every value, in pieces of as many values as there are lanes.
#[inline(always)]
fn in_lanes(row: &[f32], lanes: &mut [f32; LANES], combine: impl Fn(f32, f32) -> f32) {
    for piece in row.chunks(LANES) {
        lanes.iter_mut().zip(piece).for_each(|(lane, value)| *lane = combine(*lane, *value));
    }
}

dispatch! {
    fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y += a * *x;
        }
    }

    fn gelu(x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            let inner = 0.797_884_6 * (x + 0.044_715 * x * x * x);
            *y = 0.5 * x * (1.0 + Float::tanh(inner));
        }
    }

    fn row_sums(x: &[f32], y: &mut [f32], n: usize) {
        for (row, sum) in x.chunks_exact(n).zip(y) {
            let mut lanes = [0.0; LANES];
            in_lanes(row, &mut lanes, |a, b| a + b);
            *sum = tree(&mut lanes, |a, b| a + b);
        }
    }

    fn softmax(x: &[f32], y: &mut [f32], n: usize) {
        for (row, out) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
            let mut lanes = [f32::NEG_INFINITY; LANES];
            in_lanes(row, &mut lanes, Number::max);
            let most = tree(&mut lanes, Number::max);
            let mut lanes = [0.0; LANES];
            in_lanes(row, &mut lanes, |s, v| s + Float::exp(v - most));
            let inv = 1.0 / tree(&mut lanes, |a, b| a + b);
            for (out, value) in out.iter_mut().zip(row) {
                *out = Float::exp(*value - most) * inv;
            }
        }
    }

    fn matmul(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
        c.fill(0.0);
        for (a, c) in a.chunks_exact(n).zip(c.chunks_exact_mut(n)) {
            for (a, b) in a.iter().zip(b.chunks_exact(n)) {
                c.iter_mut().zip(b).for_each(|(c, b)| *c += a * b);
            }
        }
    }
}
