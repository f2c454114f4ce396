// expects: has 2 dimensions, found 1
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    shared!(t: [[f32; 16]; 16]);
    t[lid(0)] = 1.0;
    y[grp(0) * 256 + lid(0)] = 1.0;
}

fn main() {}
