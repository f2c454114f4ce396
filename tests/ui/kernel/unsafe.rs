// expects: a kernel cannot be `unsafe`
use ringwood::kernel;

#[kernel(device = cpu)]
unsafe fn f(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
