// expects: the array `a` cannot be written
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let a = [0.0_f32; 4];
    a[0] = 1.0;
    y[gid(0)] = a[1];
}

fn main() {}
