// expects: `fp` takes `strict` or `relaxed`
use ringwood::kernel;

#[kernel(device = cpu, fp = relaxd)]
fn f(y: &mut [f32]) {
    y[gid(0)] = 1.0;
}

fn main() {}
