// expects: method `expp` is not available in kernels
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: f32) -> f32 {
    x.expp()
}

fn main() {}
