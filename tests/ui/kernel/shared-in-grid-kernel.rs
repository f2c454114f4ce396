// expects: a shared array needs a group
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    shared!(t: [f32; 16]);
    t[0] = 1.0;
    y[gid(0)] = t[0];
}

fn main() {}
