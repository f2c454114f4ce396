// expects: `#[global_fn]` stands on a function
use ringwood::global_fn;

#[global_fn]
struct Step;

fn main() {}
