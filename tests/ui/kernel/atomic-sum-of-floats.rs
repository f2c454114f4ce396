// expects: a sum of floats depends on the order of the work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    atomic_add(&mut y[0], x[gid(0)]);
}

fn main() {}
