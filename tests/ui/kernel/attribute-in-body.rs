// expects: has no meaning inside of a kernel
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    #[cfg(debug_assertions)]
    const SCALE: f32 = 2.0;
    #[cfg(not(debug_assertions))]
    const SCALE: f32 = 1.0;
    y[gid(0)] = SCALE;
}

fn main() {}
