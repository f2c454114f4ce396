// expects: `break` in a loop that all work-items of the group run together
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(y: &mut [f32], n: usize) {
    for i in 0..n {
        barrier();
        if i > 3 {
            break;
        }
    }
    y[grp(0) * 256 + lid(0)] = 1.0;
}

fn main() {}
