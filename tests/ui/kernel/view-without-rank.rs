// expects: `View` has an element type and a number of dimensions
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: View<f32>, y: &mut [f32]) {
    y[gid(0)] = x[[gid(0)]];
}

fn main() {}
