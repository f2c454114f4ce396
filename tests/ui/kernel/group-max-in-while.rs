// expects: in the condition of a `while`
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [u32], n: usize) {
    let mut v = 3_u32;
    while group_max(v) > 0 {
        v -= 1;
    }
    y[grp(0) * 256 + lid(0)] = v;
}

fn main() {}
