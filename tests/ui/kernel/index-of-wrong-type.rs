// expects: an index has type `usize`, found `i32`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32], n: i32) {
    y[gid(0)] = x[n];
}

fn main() {}
