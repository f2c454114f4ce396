// expects: this `match` is of 2 values
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = match (i, x.len()) {
        0 => 1.0,
        _ => x[i],
    };
}

fn main() {}
