// expects: a kernel has no `self`
use ringwood::kernel;

struct S;

impl S {
    #[kernel(device = cpu)]
    fn f(&self, y: &mut [f32]) {
        y[gid(0)] = 1.0;
    }
}

fn main() {}
