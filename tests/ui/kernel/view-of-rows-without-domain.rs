// expects: declare the work-items: `domain = y.extent(0)`
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: ViewMut<f32, 2>) {
    let columns = y.extent(1);
    for k in 0..columns {
        y[[gid(0), k]] = 1.0;
    }
}

fn main() {}
