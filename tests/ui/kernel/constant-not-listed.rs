// expects: the values of `N` are not listed
use ringwood::kernel;

#[kernel(device = cpu)]
fn f<const N: usize>(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
