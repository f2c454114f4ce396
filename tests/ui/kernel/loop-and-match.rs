// expects: `loop` is not available in kernels
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[i32], y: &mut [i32]) {
    let i = gid(0);
    loop {
        break;
    }
    y[i] = match x[i] {
        0 => 1,
        _ => 2,
    };
}

fn main() {}
