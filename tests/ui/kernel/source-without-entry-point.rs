// expects: does not define `scale`, the entry point of this kernel
use ringwood::kernel;

#[kernel(opencl = "__kernel void rescale(__global float* y, ulong n, ulong items) {}")]
fn scale(y: &mut [f32]);

fn main() {}
