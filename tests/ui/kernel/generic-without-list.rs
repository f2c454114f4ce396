// expects: a generic kernel needs a list of its element types
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f<T>(x: T) -> T {
    x
}

fn main() {}
