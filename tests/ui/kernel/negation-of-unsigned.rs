// expects: `-` does not exist for `u32`
use ringwood::kernel;

#[kernel(device = cpu)]
fn negate(x: &[u32], y: &mut [u32]) {
    y[gid(0)] = -x[gid(0)];
}

fn main() {}
