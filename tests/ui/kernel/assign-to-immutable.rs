// expects: cannot assign twice to `s`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let s = 0.0;
    for i in 0..x.len() {
        s += x[i];
    }
    y[gid(0)] = s;
}

fn main() {}
