// expects: a kernel takes no slice of a slice
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    let window = x[i..i + 3];
    y[i] = window[0];
}

fn main() {}
