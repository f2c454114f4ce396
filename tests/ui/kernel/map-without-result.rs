// expects: a `map` kernel returns the element it computes
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: f32) {
    x;
}

fn main() {}
