// expects: cannot find
use ringwood::kernel;

#[kernel(host, device = opencl, implements = scale)]
fn scale_by_library(a: f32, y: &mut [f32]) {
    y[0] *= a;
}

fn main() {}
