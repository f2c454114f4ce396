// expects: `y[0]` can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu, row = 64)]
fn f(x: Row<f32>, y: RowMut<f32>) {
    y[0] = x[lid(0)];
}

fn main() {}
