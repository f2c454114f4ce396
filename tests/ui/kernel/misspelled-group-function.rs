// expects: did you mean `group_sum`?
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    let s = group_summ(1.0_f32);
    y[grp(0) * 256 + lid(0)] = s;
}

fn main() {}
