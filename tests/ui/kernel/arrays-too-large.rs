// expects: the arrays of a work-item of this kernel take 16388 bytes
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    let mut a = [0.0; 4096];
    a[i % 4096] = x[i];
    let b = [1.0_f32];
    y[i] = a[i / 2 % 4096] + b[0];
}

fn main() {}
