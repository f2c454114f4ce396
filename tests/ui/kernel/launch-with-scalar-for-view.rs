// expects: the trait bound `TensorView<'_>: From<{integer}>` is not satisfied
use ringwood::kernel;

#[kernel(device = cpu)]
fn f(x: View<f32, 1>, y: ViewMut<f32, 1>) {
    y[[gid(0)]] = x[[gid(0)]];
}

fn run(y: &mut ringwood::device::Tensor) -> ringwood::Result<()> {
    f(1, y)
}

fn main() {}
