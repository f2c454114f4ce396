// expects: only a grid kernel declares its domain
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n, domain = n)]
fn f(y: &mut [f32], n: usize) {
    y[grp(0) * 256 + lid(0)] = 1.0;
}

fn main() {}
