// expects: an index is counted
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = x[j];
}

fn main() {}
