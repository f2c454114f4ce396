// expects: a kernel is either `map` or `host`
use ringwood::kernel;

#[kernel(map, host, device = cpu)]
fn f(x: f32) -> f32 {
    x
}

fn main() {}
