// expects: `barrier` in a loop over `group_range`
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    for k in group_range(n) {
        barrier();
        y[grp(0) * n + k] = 1.0;
    }
}

fn main() {}
