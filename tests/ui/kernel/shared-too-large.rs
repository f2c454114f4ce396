// expects: the shared arrays of this kernel take 65536 bytes
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    shared!(t: [f64; 8192]);
    t[lid(0)] = 1.0;
    y[grp(0) * 256 + lid(0)] = 1.0;
}

fn main() {}
