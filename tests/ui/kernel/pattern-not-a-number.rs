// expects: a pattern in a kernel is a number
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[i32], y: &mut [i32]) {
    let i = gid(0);
    y[i] = match x[i] {
        0 => 1,
        n if n > 9 => 2,
        _ => 3,
    };
}

fn main() {}
