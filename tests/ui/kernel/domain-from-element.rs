// expects: the domain is computed from parameters and lengths only
use ringwood::kernel;

#[kernel(device = cpu, domain = gid(0))]
fn f(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
