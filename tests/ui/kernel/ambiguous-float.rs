// expects: the type of this float is ambiguous
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let t = 1.0;
    y[gid(0)] = t as f32;
}

fn main() {}
