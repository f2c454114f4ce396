// expects: a `map` kernel returns what it computes
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: f32) {
    x;
}

fn main() {}
