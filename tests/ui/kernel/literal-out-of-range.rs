// expects: literal out of range for `i32`
use ringwood::kernel;

#[kernel(map, device = cpu)]
fn f(x: i32) -> i32 {
    x + 3_000_000_000
}

fn main() {}
