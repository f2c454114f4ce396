// expects: while another work-item changes it atomically
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(bins: &mut [u32], y: &mut [u32]) {
    atomic_add(&mut bins[0], 1);
    y[gid(0)] = bins[0];
}

fn main() {}
