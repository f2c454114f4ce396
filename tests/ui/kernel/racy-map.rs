// expects: `racy` is about stores
use ringwood::kernel;

#[kernel(map, racy, device = cpu)]
fn f(x: f32) -> f32 {
    x
}

fn main() {}
