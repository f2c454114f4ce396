// expects: part of a larger expression
use ringwood::kernel;

#[kernel(device = cpu, nondeterministic)]
fn f(count: &mut [u32], y: &mut [u32]) {
    y[gid(0)] = 1 + atomic_add(&mut count[0], 1);
}

fn main() {}
