// expects: this row kernel writes no row
use ringwood::kernel;

#[kernel(device = cpu, row = 64)]
fn f(x: Row<f32>, y: &mut [f32]) {
    let sum = group_sum(x[lid(0)]);
    if lid(0) == 0 {
        y[grp(0)] = sum;
    }
}

fn main() {}
