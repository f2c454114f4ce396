// expects: a global function cannot be `unsafe`
use ringwood::global_fn;

#[global_fn]
unsafe fn step() {}

fn main() {}
