// expects: keep `gid(0)` one in the index
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [u32]) {
    let i = gid(0) as u32;
    y[i as usize] = i;
}

fn main() {}
