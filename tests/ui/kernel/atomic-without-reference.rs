// expects: takes an element and 1 values
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(bins: &mut [u32]) {
    atomic_add(bins[0], 1);
}

fn main() {}
