// expects: `x` is a view of rank 2, which has no `len()`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: View<f32, 2>, y: &mut [f32]) {
    let mut s = 0.0;
    for k in 0..x.len() {
        s += x[[gid(0), k]];
    }
    y[gid(0)] = s;
}

fn main() {}
