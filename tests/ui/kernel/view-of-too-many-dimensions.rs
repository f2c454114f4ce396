// expects: the rank of a view is a literal from 0 to 8
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: ViewMut<f32, 9>) {
    y[[gid(0), 0, 0, 0, 0, 0, 0, 0, 0]] = 1.0;
}

fn main() {}
