// expects: this kernel does not run on `cuda`
use ringwood::kernel;

#[kernel(device = opencl, domain = y.len(), library(cuda = gemm))]
fn ones(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
