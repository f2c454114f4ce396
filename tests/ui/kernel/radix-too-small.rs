// expects: `y[i * 2 + c]` can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    let i = gid(0);
    for c in 0..3 {
        y[i * 2 + c] = 1.0;
    }
}

fn main() {}
