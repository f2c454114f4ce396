// expects: a grid kernel returns nothing
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    if i > 3 {
        return x[i];
    }
    y[i] = 0.0;
}

fn main() {}
