// expects: a device function has no `gid`
use ringwood::device_fn;

#[device_fn]
fn f(x: f32) -> f32 {
    x + gid(0) as f32
}

fn main() {}
