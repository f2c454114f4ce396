// expects: `barrier()` in control flow that can differ
use ringwood::kernel;

#[kernel(device = cpu, group = 8, groups = x.len() / 8)]
fn f(x: &[f32], y: &mut [f32]) {
    if lid(0) > 3 {
        return;
    }
    barrier();
    y[grp(0) * 8 + lid(0)] = x[grp(0) * 8 + lid(0)];
}

fn main() {}
