// expects: a kernel has no labels
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(y: &mut [f32], n: usize) {
    'rows: for i in 0..n {
        if i > 3 {
            break 'rows;
        }
    }
    y[gid(0)] = 1.0;
}

fn main() {}
