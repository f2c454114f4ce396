//! Math functions of kernels against those of the standard library, in loops over an array.
//!
//! `cargo bench --bench math`. The bits of a kernel's functions are the same on every device.

#[path = "spine/measure.rs"]
mod measure;

use measure::{line, median};
use ringwood_ir::math::Float;
use std::hint::black_box;

const ELEMENTS: usize = 1 << 16;

macro_rules! compare {
    ($($name:ident)*) => {
        fn main() {
            let x: Vec<f32> = (0..ELEMENTS).map(|i| i as f32 / 3000.0 + 0.01).collect();
            let mut y = vec![0.0_f32; ELEMENTS];
            $(
                let ours = median(|| {
                    y.iter_mut().zip(black_box(&x)).for_each(|(y, x)| *y = Float::$name(*x));
                    black_box(&y);
                });
                let theirs = median(|| {
                    y.iter_mut().zip(black_box(&x)).for_each(|(y, x)| *y = f32::$name(*x));
                    black_box(&y);
                });
                let name = stringify!($name);
                line(&format!("{name}, {ELEMENTS} elements"), ours, &format!("f32::{name}"), theirs);
            )*
        }
    };
}

compare! { exp exp2 exp_m1 ln log2 ln_1p sin cos tan sinh cosh tanh atan cbrt }
