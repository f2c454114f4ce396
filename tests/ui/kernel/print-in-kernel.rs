// expects: `println!` is not allowed in a kernel
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    println!("{}", gid(0));
    y[gid(0)] = 1.0;
}

fn main() {}
