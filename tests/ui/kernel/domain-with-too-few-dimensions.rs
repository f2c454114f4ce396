// expects: the body uses 2 dimensions
use ringwood::kernel;

#[kernel(device = cpu, domain = y.len())]
fn f(y: &mut [f32], w: usize) {
    y[gid(1) * w + gid(0)] = 1.0;
}

fn main() {}
