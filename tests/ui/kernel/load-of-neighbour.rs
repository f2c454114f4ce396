// expects: `y[i + 1]` can be an element of another work-item
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let i = gid(0);
    y[i] = y[i + 1];
}

fn main() {}
