// expects: `x` is a shared slice and cannot be written
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    x[gid(0)] = 1.0;
    y[gid(0)] = 1.0;
}

fn main() {}
