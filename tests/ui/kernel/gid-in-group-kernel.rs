// expects: a group kernel has no `gid`
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    y[gid(0)] = 1.0;
}

fn main() {}
