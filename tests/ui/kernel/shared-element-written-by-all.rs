// expects: is written by every work-item of the group
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    shared!(t: [f32; 256]);
    t[0] = 1.0;
    barrier();
    y[grp(0) * 256 + lid(0)] = t[0];
}

fn main() {}
