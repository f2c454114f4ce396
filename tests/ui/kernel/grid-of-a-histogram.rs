// expects: would have a work-item for each element of `bins`
use ringwood::kernel;

#[kernel(device = cpu)]
fn histogram(x: &[u8], bins: &mut [u32]) {
    atomic_add(&mut bins[x[gid(0)] as usize], 1);
}

fn main() {}
