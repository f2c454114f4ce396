// expects: `1.0` is no identity of `sum`: combined with 1 it gives 2
use ringwood::kernel;

#[kernel(reduce(identity = 1.0), device = cpu)]
fn sum(a: f32, b: f32) -> f32 {
    a + b
}

fn main() {}
