// expects: this kernel says for no device that it is written
use ringwood::kernel;

#[kernel(map)]
fn f(x: f32) -> f32 {
    x
}

fn main() {}
