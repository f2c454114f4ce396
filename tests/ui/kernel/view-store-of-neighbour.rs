// expects: can be an element of another work-item
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: ViewMut<f32, 2>) {
    y[[gid(1), gid(0)]] = y[[gid(0), gid(1)]];
}

fn main() {}
