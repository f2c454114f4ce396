// expects: this kernel declares no domain
use ringwood::kernel;

#[kernel(device = cuda, library(cuda = gemm))]
fn ones(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
