// expects: `y[0]` can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn sum(x: &[f32], y: &mut [f32]) {
    y[0] += x[gid(0)];
}

fn main() {}
