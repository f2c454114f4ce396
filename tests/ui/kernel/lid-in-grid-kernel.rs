// expects: `lid` needs groups of work-items
use ringwood::kernel;

#[kernel(device = cpu)]
fn numbers(y: &mut [u32]) {
    y[gid(0)] = lid(0) as u32;
}

fn main() {}
