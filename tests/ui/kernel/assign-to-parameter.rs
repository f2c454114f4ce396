// expects: the parameter `n` cannot be assigned
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32], n: usize) {
    n = 3;
    y[gid(0)] = 1.0;
}

fn main() {}
