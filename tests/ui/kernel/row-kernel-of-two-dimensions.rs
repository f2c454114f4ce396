// expects: the body uses 2 dimensions
use ringwood::kernel;

#[kernel(device = cpu, row = 64)]
fn f(x: Row<f32>, y: RowMut<f32>) {
    for k in group_range(y.len()) {
        y[k] = x[k] * grp(1) as f32;
    }
}

fn main() {}
