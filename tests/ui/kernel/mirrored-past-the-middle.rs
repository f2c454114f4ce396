// expects: `y[row + w - 1 - c]` is the other index
use ringwood::kernel;

#[kernel(device = cpu, domain = (h, w / 2 + 1))]
fn f(y: &mut [f32], h: usize, w: usize) {
    let (row, c) = (gid(1) * w, gid(0));
    y[row + w - 1 - c] = 1.0;
    y[row + c] = 2.0;
}

fn main() {}
