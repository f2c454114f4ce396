// expects: the length of an array is a constant
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32], n: usize) {
    let a = [0.0; n];
    y[gid(0)] = a[0];
}

fn main() {}
