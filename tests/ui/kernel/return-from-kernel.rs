// expects: a kernel has no `return`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    if i >= x.len() {
        return;
    }
    y[i] = x[i];
}

fn main() {}
