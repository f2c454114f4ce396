// expects: a `map` kernel takes scalars and returns a scalar
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: &[f32]) -> f32 {
    x[0]
}

fn main() {}
