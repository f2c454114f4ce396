// expects: a tuple is assigned from a tuple of as many values
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let (mut a, mut b) = (x[0], 0.0);
    (a, b) = (a, b, a);
    y[gid(0)] = a + b;
}

fn main() {}
