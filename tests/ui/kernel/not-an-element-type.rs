// expects: `f23` is not an element type
use ringwood::kernel;

#[kernel(map, device = cpu, T in [f32, f23])]
fn f<T>(x: T) -> T {
    x
}

fn main() {}
