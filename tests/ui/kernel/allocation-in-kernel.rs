// expects: `vec!` is not allowed in a kernel
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let t = vec![0.0; 4];
    y[gid(0)] = 1.0;
}

fn main() {}
