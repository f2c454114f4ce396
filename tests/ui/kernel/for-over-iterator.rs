// expects: a kernel's `for` iterates over `a..b`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let mut s = 0.0;
    for v in x.iter() {
        s += 1.0;
    }
    y[gid(0)] = s;
}

fn main() {}
