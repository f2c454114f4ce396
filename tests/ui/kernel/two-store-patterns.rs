// expects: `y[2 * i]` can be an element of another work-item
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let i = gid(0);
    y[i] = 1.0;
    y[2 * i] = 2.0;
}

fn main() {}
