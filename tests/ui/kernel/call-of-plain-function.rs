// expects: expected type, found function `helper`
use ringwood::kernel;

fn helper(x: f32) -> f32 {
    x
}

#[kernel(map, device = cpu)]
fn f(x: f32) -> f32 {
    helper(x)
}

fn main() {}
