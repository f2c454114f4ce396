// expects: `library` takes backends with a routine of theirs in parentheses
use ringwood::kernel;

#[kernel(device = cuda, domain = y.len(), library = "gemm")]
fn ones(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
