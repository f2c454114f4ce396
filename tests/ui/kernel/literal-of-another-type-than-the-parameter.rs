// expects: `3` alone is of type `i32`, but `helper` takes `u32`: write `3_u32`
use ringwood::{device_fn, kernel};

#[device_fn]
fn helper(x: f32, k: u32) -> f32 {
    x * k as f32
}

mod functions {
    #[ringwood::device_fn]
    pub fn scaled(x: f64, by: f64) -> f64 {
        x * by
    }
}

// A literal of the type that such a literal has is as good as any.
#[device_fn]
fn right(x: f32, by: f32, k: i32) -> f32 {
    x * by * k as f32
}

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    let scaled: f64 = functions::scaled(x[i] as f64, 0.5);
    y[i] = helper(x[i], 3) + right(x[i], 1.5, 3) + scaled as f32;
}

fn main() {}
