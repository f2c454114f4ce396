// expects: `atomic_min` does not exist for `f32`
use ringwood::kernel;

#[kernel(device = cpu, nondeterministic)]
fn f(y: &mut [f32]) {
    atomic_min(&mut y[0], 1.0);
}

fn main() {}
