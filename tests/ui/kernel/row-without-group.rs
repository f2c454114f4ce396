// expects: a row belongs to a group of work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: Row<f32>, y: &mut [f32]) {
    y[gid(0)] = x[0];
}

fn main() {}
