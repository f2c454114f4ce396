// expects: a group of 100 work-items
use ringwood::kernel;

#[kernel(device = cpu, group = (10, 10), groups = (n, n))]
fn f(y: &mut [f32], n: usize) {
    y[((grp(1) * n + grp(0)) * 10 + lid(1)) * 10 + lid(0)] = 1.0;
}

fn main() {}
