// expects: `Vec<f32>` cannot be a kernel parameter
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: Vec<f32>, y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
