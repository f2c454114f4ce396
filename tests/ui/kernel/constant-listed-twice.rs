// expects: `16` is listed twice
use ringwood::kernel;

#[kernel(device = cpu, const N: usize in [16, 16])]
fn f<const N: usize>(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
