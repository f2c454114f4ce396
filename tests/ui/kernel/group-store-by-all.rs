// expects: can be written by several work-items
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(x: &[f32], y: &mut [f32], n: usize) {
    let s = group_sum(x[lid(0)]);
    y[grp(0)] = s;
}

fn main() {}
