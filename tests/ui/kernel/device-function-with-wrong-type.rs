// expects: mismatched types
use ringwood::{device_fn, kernel};

#[device_fn]
fn half(x: f32) -> f32 {
    0.5 * x
}

#[kernel(device = cpu)]
fn f(x: &[u32], y: &mut [f32]) {
    y[gid(0)] = half(x[gid(0)]) + half(x[0]);
}

fn main() {}
