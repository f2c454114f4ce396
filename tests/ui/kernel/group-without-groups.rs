// expects: does not say how many groups there are
use ringwood::kernel;

#[kernel(device = cpu, group = 256)]
fn f(y: &mut [f32]) {
    y[grp(0) * 256 + lid(0)] = 1.0;
}

fn main() {}
