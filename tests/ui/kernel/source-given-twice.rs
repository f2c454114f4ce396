// expects: `opencl` is given twice
use ringwood::kernel;

#[kernel(opencl = "void scale", opencl = "void scale")]
fn scale(y: &mut [f32]);

fn main() {}
