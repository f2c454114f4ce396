// expects: `y[i / 2]` can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i / 2] = x[i];
}

fn main() {}
