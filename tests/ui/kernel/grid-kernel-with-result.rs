// expects: a grid kernel returns nothing
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) -> f32 {
    y[gid(0)] = x[gid(0)];
}

fn main() {}
