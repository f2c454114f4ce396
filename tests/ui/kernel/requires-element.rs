// expects: a requirement is about parameters
use ringwood::kernel;

#[kernel(device = cpu, requires(y[0] > 1.0))]
fn f(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
