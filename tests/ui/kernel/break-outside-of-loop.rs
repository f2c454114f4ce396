// expects: `break` outside of a loop
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    y[gid(0)] = 1.0;
    break;
}

fn main() {}
