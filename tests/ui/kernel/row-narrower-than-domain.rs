// expects: of many launches that were tried that holds for none
use ringwood::kernel;

#[kernel(device = cpu, domain = (h, w + 1))]
fn f(y: &mut [f32], h: usize, w: usize) {
    y[gid(1) * w + gid(0)] = 1.0;
}

fn main() {}
