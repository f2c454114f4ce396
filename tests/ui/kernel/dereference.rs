// expects: kernels have no references to elements
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    *y = 1.0;
    y[gid(0)] = *y;
}

fn main() {}
