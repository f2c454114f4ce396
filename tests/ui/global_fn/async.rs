// expects: a global function cannot be `async`
use ringwood::global_fn;

#[global_fn]
async fn step() {}

fn main() {}
