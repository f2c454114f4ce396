// expects: `&HashMap<u32, f32>` cannot be a kernel parameter
use ringwood::kernel;

use std::collections::HashMap;

#[kernel(host, device = cpu)]
fn f(x: &HashMap<u32, f32>, y: &mut [f32]) {
    y[0] = x[&0];
}

fn main() {}
