// expects: kernel `scale` is not declared with the signature
use ringwood::kernel;

#[kernel(device = cpu)]
fn scale(a: f32, x: &[f32], y: &mut [f32]) {
    y[gid(0)] = a * x[gid(0)];
}

#[kernel(host, device = opencl, implements = scale)]
fn scale_by_library(x: &[f32], a: f32, y: &mut [f32]) {
    y.copy_from_slice(x);
    y[0] *= a;
}

fn main() {}
