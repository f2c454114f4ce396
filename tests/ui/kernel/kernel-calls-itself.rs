// expects: a kernel cannot call itself
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: f32) -> f32 {
    f(x)
}

fn main() {}
