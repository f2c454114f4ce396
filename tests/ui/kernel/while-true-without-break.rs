// expects: this `while true` never ends
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [i32]) {
    let i = gid(0);
    while true {
        y[i] = y[i] + 1;
    }
}

fn main() {}
