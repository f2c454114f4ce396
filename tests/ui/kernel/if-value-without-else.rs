// expects: an `if` used as a value needs an `else`
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: f32) -> f32 {
    let y = if x > 0.0 { x };
    y
}

fn main() {}
