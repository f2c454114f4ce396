// expects: `x` is a shared view and cannot be written
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: View<f32, 2>, y: &mut [f32]) {
    x[[gid(0), 0]] = 1.0;
    y[gid(0)] = 1.0;
}

fn main() {}
