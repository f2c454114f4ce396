// expects: is not the same for all of them
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(x: &[u32], y: &mut [f32], n: usize) {
    let turns = x[lid(0)];
    for _ in 0..turns {
        barrier();
    }
    y[grp(0) * 256 + lid(0)] = 1.0;
}

fn main() {}
