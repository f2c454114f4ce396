// expects: a view is passed by value: `ViewMut<f32, 2>`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: View<f32, 1>, y: &mut View<f32, 2>) {
    y[[gid(0), 0]] = x[[gid(0)]];
}

fn main() {}
