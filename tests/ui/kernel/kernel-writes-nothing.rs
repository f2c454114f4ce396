// expects: this kernel writes nothing
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32]) {
    let s = x[gid(0)];
}

fn main() {}
