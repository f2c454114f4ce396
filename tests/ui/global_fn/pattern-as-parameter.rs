// expects: needs a name, not a pattern
use ringwood::global_fn;

#[global_fn]
fn step((low, high): (i64, i64)) -> i64 {
    high - low
}

fn main() {}
