// expects: a device function cannot call itself
use ringwood::device_fn;

#[device_fn]
fn f(n: u32) -> u32 {
    f(n - 1)
}

fn main() {}
