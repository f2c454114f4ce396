// expects: the type of `LIMIT` is not known here
use ringwood::kernel;

const LIMIT: usize = 4;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = x[0] * LIMIT as f32;
}

fn main() {}
