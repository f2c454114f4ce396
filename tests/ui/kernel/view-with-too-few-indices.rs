// expects: `y` has 2 dimensions, found 1 indices
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: ViewMut<f32, 2>) {
    y[[gid(0)]] = 1.0;
}

fn main() {}
