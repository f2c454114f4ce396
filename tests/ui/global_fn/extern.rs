// expects: a global function cannot be `extern`
use ringwood::global_fn;

#[global_fn]
extern "C" fn step() {}

fn main() {}
