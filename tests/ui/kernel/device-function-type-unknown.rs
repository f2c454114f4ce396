// expects: the type of `half(y[gid(0)])` is not known here
use ringwood::{device_fn, kernel};

#[device_fn]
fn half(x: f32) -> f32 {
    0.5 * x
}

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let z = half(y[gid(0)]);
    y[gid(0)] = 1.0;
}

fn main() {}
