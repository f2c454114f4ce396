// expects: `x` is a view of rank 2: its indices are one list
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: View<f32, 2>, y: &mut [f32]) {
    y[gid(0)] = x[gid(0)][0];
}

fn main() {}
