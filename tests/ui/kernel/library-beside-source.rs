// expects: the devices of `cuda` run a source instead of the body
use ringwood::kernel;

#[kernel(
    device = opencl,
    domain = y.len(),
    cuda = "extern \"C\" __global__ void ones(float* y, unsigned long long n, unsigned long long items) {}",
    library(cuda = gemm)
)]
fn ones(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
