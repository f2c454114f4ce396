// expects: a global function cannot be generic
use ringwood::global_fn;

#[global_fn]
fn step<T>(_batch: T) {}

fn main() {}
