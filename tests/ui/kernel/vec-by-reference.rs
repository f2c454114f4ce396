// expects: take a slice: `&mut [f32]`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut Vec<f32>) {
    y[gid(0)] = 1.0;
}

fn main() {}
