// expects: a row kernel has a group for each row
use ringwood::kernel;

#[kernel(device = cpu, row = 64, groups = 3)]
fn f(y: RowMut<f32>) {
    for k in group_range(y.len()) {
        y[k] = 1.0;
    }
}

fn main() {}
