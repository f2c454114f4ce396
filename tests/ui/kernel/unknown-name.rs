// expects: `offset` is not a parameter or local of this kernel
use ringwood::kernel;

const OFFSET: usize = 3;

#[kernel(device = cpu)]
fn f(xs: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = x[i] + xs[i + offset] + xs[OFFSET];
}

fn main() {}
