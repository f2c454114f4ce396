// expects: `y` has 2 dimensions, and no dimension 2
use ringwood::kernel;

#[kernel(device = cpu, domain = y.extent(2))]
fn f(y: ViewMut<f32, 2>) {
    y[[gid(0), 0]] = 1.0;
}

fn main() {}
