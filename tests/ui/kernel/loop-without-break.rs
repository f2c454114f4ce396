// expects: this `loop` never ends
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: &[i32], y: &mut [i32]) {
    let i = gid(0);
    loop {
        for k in 0..3 {
            break;
        }
    }
    let n = loop {
        break x[i];
    };
    y[i] = n;
}

fn main() {}
