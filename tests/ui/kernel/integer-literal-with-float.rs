// expects: type mismatch in `*`: `f32` and `{integer}`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = x[i] * 2;
}

fn main() {}
