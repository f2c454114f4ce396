// expects: a `map` kernel has no routines of libraries
use ringwood::kernel;

#[kernel(map, device = [cpu, cuda], library(cuda = gemm))]
fn twice(x: f32) -> f32 {
    2.0 * x
}

fn main() {}
