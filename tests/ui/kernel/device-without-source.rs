// expects: this kernel has no body, and no source for `cpu`
use ringwood::kernel;

#[kernel(
    device = [cpu, opencl],
    opencl = "__kernel void scale(__global float* y, ulong n, ulong items) {}"
)]
fn scale(y: &mut [f32]);

fn main() {}
