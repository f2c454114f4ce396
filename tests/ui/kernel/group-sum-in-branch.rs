// expects: `group_sum` in a branch of an `if`
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    let s = if n > 3 { group_sum(1.0_f32) } else { 0.0 };
    y[grp(0) * 256 + lid(0)] = s;
}

fn main() {}
