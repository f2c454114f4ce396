// expects: `barrier` needs groups of work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32]) {
    barrier();
    y[gid(0)] = 1.0;
}

fn main() {}
