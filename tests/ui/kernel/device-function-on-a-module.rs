// expects: `#[device_fn]` stands on a function
use ringwood::device_fn;

#[device_fn]
mod half {}

fn main() {}
