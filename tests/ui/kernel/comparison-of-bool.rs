// expects: a `bool` is compared with `true` and `false`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[bool], n: i32, y: &mut [f32]) {
    let i = gid(0);
    if x[i] == 1 {
        y[i] = (n * 2.0) as f32;
    }
}

fn main() {}
