// expects: `y[gid(0)]` can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32], w: usize) {
    y[gid(0)] = x[gid(1) * w + gid(0)];
}

fn main() {}
