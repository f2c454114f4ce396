// expects: mismatched types
use ringwood::kernel;

#[kernel(device = cpu)]
fn scale(a: f32, y: &mut [f32]) {
    y[gid(0)] = a * y[gid(0)];
}

fn twice(y: &mut ringwood::device::Tensor) -> ringwood::Result<()> {
    scale(2, y)
}

fn main() {}
