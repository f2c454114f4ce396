// expects: `levels[i]` may be outside of the array
use ringwood::{device_fn, kernel};

#[device_fn]
fn level(i: usize) -> f32 {
    let levels = [0.0, 0.25, 0.5, 1.0];
    levels[i]
}

#[kernel(map, device = cpu)]
fn f(i: u32) -> f32 {
    let mut table = [0.0; 4];
    table[(i + 1) as usize] = 1.0;
    table[i.min(3) as usize]
}

fn main() {}
