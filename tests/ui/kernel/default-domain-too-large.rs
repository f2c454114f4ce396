// expects: `y[gid(0) * n + k]` is beyond the end of `y`
use ringwood::kernel;

#[kernel(device = cpu)]
fn repeat(x: &[f32], y: &mut [f32], n: usize) {
    for k in 0..n {
        y[gid(0) * n + k] = x[gid(0)];
    }
}

fn main() {}
