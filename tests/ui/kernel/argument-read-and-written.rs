// expects: cannot borrow `t` as mutable because it is also borrowed as immutable
use ringwood::device::Tensor;
use ringwood::kernel;

#[kernel(device = cpu)]
fn double(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = 2.0 * x[gid(0)];
}

fn in_place(mut t: Tensor) -> ringwood::Result<()> {
    double(&t, &mut t)
}

fn main() {}
