// expects: a kernel binds plain names in a `let`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[i32], y: &mut [i32]) {
    let (i, [j, k]) = (gid(0), [1, 2]);
    y[i] = x[i] + j + k;
}

fn main() {}
