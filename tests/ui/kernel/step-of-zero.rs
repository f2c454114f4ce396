// expects: a range has no steps of 0
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for i in (0..4).step_by(0) {
        s += x[i];
    }
    y[gid(0)] = s;
}

fn main() {}
