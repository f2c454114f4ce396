// expects: with another number of parameters than the 3 of its declaration
use ringwood::kernel;

#[kernel(opencl = "__kernel void scale(__global float* y, ulong items) {}")]
fn scale(y: &mut [f32]);

fn main() {}
