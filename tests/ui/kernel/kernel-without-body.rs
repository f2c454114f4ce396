// expects: this kernel has neither a body nor a source
use ringwood::kernel;

#[kernel(device = cpu)]
fn scale(y: &mut [f32]);

fn main() {}
