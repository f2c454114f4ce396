// expects: iterators are not available in kernels
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = x.iter().sum();
}

fn main() {}
