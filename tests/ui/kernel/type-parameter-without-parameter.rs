// expects: no parameter of this kernel has the type `T`
use ringwood::kernel;

#[kernel(device = cpu, T in [f32, f64])]
fn f<T>(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
