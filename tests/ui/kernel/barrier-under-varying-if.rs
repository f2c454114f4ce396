// expects: some would wait forever
use ringwood::kernel;

#[kernel(device = cpu, group = 256, groups = n)]
fn f(x: &[f32], y: &mut [f32], n: usize) {
    let i = grp(0) * 256 + lid(0);
    if i < x.len() {
        barrier();
    }
    y[i] = 1.0;
}

fn main() {}
