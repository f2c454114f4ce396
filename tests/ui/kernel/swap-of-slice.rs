// expects: methods of slices are not available in kernels
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    y.swap(0, 1);
    y[gid(0)] = x[0];
}

fn main() {}
