// expects: a device function takes and returns scalars
use ringwood::device_fn;

#[device_fn]
fn f(x: &[f32]) -> f32 {
    x[0]
}

fn main() {}
