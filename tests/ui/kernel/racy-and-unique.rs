// expects: a kernel is either `racy` or `unique`
use ringwood::kernel;

#[kernel(device = cpu, racy, unique, domain = p.len())]
fn scattered(p: &[u32], y: &mut [f32]) {
    y[p[gid(0)] as usize] = 1.0;
}

fn main() {}
