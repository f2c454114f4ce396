// expects: `y[[0, gid(0)]]` can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu, domain = (y.extent(0), y.extent(1)))]
fn f(x: View<f32, 2>, y: ViewMut<f32, 2>) {
    y[[0, gid(0)]] = x[[gid(1), gid(0)]];
}

fn main() {}
